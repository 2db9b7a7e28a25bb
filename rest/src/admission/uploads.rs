//! The slots of uploads, bounded in total and per client network, so that one network cannot take all of them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub struct UploadSlots {
    limit: usize,
    uploads: Mutex<Uploads>,
}

#[derive(Default)]
struct Uploads {
    total: usize,
    per_network: HashMap<IpAddr, usize>,
}

/// The slot of an upload, until it is dropped.
pub struct UploadSlot<'a> {
    slots: &'a UploadSlots,
    network: IpAddr,
}

impl UploadSlots {
    /// `limit`: the most uploads at the same time. A client network may have a quarter of them.
    pub fn new(limit: usize) -> Self {
        UploadSlots {
            limit,
            uploads: Mutex::default(),
        }
    }

    /// Returns a slot, or None when all of them or those of the network are taken.
    pub fn acquire(&self, network: IpAddr) -> Option<UploadSlot<'_>> {
        let mut uploads = self.uploads();
        let of_network = uploads.per_network.get(&network).copied().unwrap_or(0);
        if uploads.total >= self.limit || of_network >= self.limit.div_ceil(4) {
            return None;
        }
        uploads.total += 1;
        uploads.per_network.insert(network, of_network + 1);
        Some(UploadSlot { slots: self, network })
    }

    fn uploads(&self) -> MutexGuard<'_, Uploads> {
        self.uploads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UploadSlot<'_> {
    fn drop(&mut self) {
        let mut uploads = self.slots.uploads();
        uploads.total -= 1;
        if let Some(count) = uploads.per_network.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                uploads.per_network.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_network_leaves_slots_for_others() {
        let slots = UploadSlots::new(8);
        let [school, home] = ["10.0.0.1", "10.0.0.2"].map(|address| address.parse().unwrap());
        let taken: Vec<_> = (0..2).map(|_| slots.acquire(school).unwrap()).collect();
        assert!(slots.acquire(school).is_none());
        assert!(slots.acquire(home).is_some());
        drop(taken);
        assert!(slots.acquire(school).is_some());
    }

    #[test]
    fn the_total_is_bounded() {
        let slots = UploadSlots::new(4);
        let network = |n: u8| IpAddr::from([10, 0, 0, n]);
        let taken: Vec<_> = (0..4).map(|n| slots.acquire(network(n)).unwrap()).collect();
        assert!(slots.acquire(network(9)).is_none());
        drop(taken);
        assert!(slots.acquire(network(9)).is_some());
    }
}

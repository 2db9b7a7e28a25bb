//! Grades the places that an answer marks.

use num_rational::BigRational;

use super::{MarkedPlace, Zone};
use crate::quiz::grading::share;

/// The credit for marked places. If all zones are to be marked, it is the share of zones that have a place of their own; with `all_or_nothing`
/// nothing unless all have one. Otherwise the only place must be in a zone.
pub fn credit(zones: &[Zone], places: &[MarkedPlace], mark_all: bool, all_or_nothing: bool) -> BigRational {
    let right = right_places(zones, places, mark_all)
        .into_iter()
        .filter(|right| *right)
        .count();
    match mark_all {
        true if all_or_nothing => share(usize::from(right > 0 && right == zones.len()), 1),
        true => share(right, zones.len()),
        false => share(usize::from(places.len() == 1 && right == 1), 1),
    }
}

/// Whether each place is right. If all zones are to be marked, each zone accepts one place only: as many places as possible are right, and
/// earlier ones come first.
pub fn right_places(zones: &[Zone], places: &[MarkedPlace], mark_all: bool) -> Vec<bool> {
    let contains = |place: &MarkedPlace, zone: &Zone| zone.shape.contains(*place);
    if !mark_all {
        let is_right = |place: &MarkedPlace| zones.iter().any(|zone| contains(place, zone));
        return places.iter().map(is_right).collect();
    }
    let choices = places.iter().map(|place| {
        let zones = zones.iter().enumerate().filter(|(_, zone)| contains(place, zone));
        zones.map(|(zone, _)| zone).collect()
    });
    let mut matching = Matching {
        choices: choices.collect(),
        owners: vec![None; zones.len()],
    };
    (0..places.len())
        .map(|place| matching.augment(place, &mut vec![false; zones.len()]))
        .collect()
}

/// An assignment of zones to places, which are identified by their index.
struct Matching {
    /// The zones that contain each place.
    choices: Vec<Vec<usize>>,
    /// The place that each zone has accepted.
    owners: Vec<Option<usize>>,
}

impl Matching {
    /// Gives a place a zone along an augmenting path (H. W. Kuhn, 1955): a free one, or that of another place, which gets another one instead.
    /// Returns false if there is no such path; no later path then changes that. `seen` are the zones that were tried for the path.
    fn augment(&mut self, place: usize, seen: &mut Vec<bool>) -> bool {
        let choices = self.choices.get(place).cloned().unwrap_or_default();
        for zone in choices {
            match seen.get_mut(zone) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let owner = self.owners.get(zone).copied().flatten();
            // At most as deep as there are zones.
            if owner.is_none_or(|owner| self.augment(owner, seen)) {
                if let Some(owner) = self.owners.get_mut(zone) {
                    *owner = Some(place);
                }
                return true;
            }
        }
        false
    }
}

/// Places that get full credit: one in each zone, or in the first one.
pub fn sample_places(zones: &[Zone], mark_all: bool) -> Vec<MarkedPlace> {
    let count = if mark_all { zones.len() } else { 1 };
    zones
        .iter()
        .filter_map(|zone| zone.shape.sample())
        .take(count)
        .collect()
}

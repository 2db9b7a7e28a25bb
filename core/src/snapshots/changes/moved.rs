//! Which parts were moved: as few as explain the new order.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

type Above = Option<Uuid>;

/// The parts of both outlines that have another parent, and those that must have been moved among their siblings. Each outline is a list of
/// parts with their parents, siblings in order.
pub(super) fn moved(
    before: impl Iterator<Item = (Uuid, Above)>,
    after: impl Iterator<Item = (Uuid, Above)>,
) -> HashSet<Uuid> {
    let before: HashMap<Uuid, (usize, Above)> = before
        .enumerate()
        .map(|(place, (id, above))| (id, (place, above)))
        .collect();
    let mut moved = HashSet::new();
    let mut siblings: HashMap<Above, Vec<(usize, Uuid)>> = HashMap::new();
    for (id, above) in after {
        match before.get(&id) {
            Some((place, was)) if *was == above => siblings.entry(above).or_default().push((*place, id)),
            Some(_) => {
                moved.insert(id);
            }
            None => {}
        }
    }
    for siblings in siblings.values() {
        let stayed = longest_rise(&siblings.iter().map(|(place, _)| *place).collect::<Vec<_>>());
        let others = siblings.iter().enumerate().filter(|(index, _)| !stayed.contains(index));
        moved.extend(others.map(|(_, (_, id))| *id));
    }
    moved
}

/// The indexes of a longest increasing subsequence. The numbers are distinct.
fn longest_rise(numbers: &[usize]) -> HashSet<usize> {
    // The last index of the best subsequence of each length, and what comes before each index.
    let mut ends: Vec<(usize, usize)> = vec![];
    let mut earlier: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (index, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|(end, _)| end < number);
        earlier.push(
            length
                .checked_sub(1)
                .and_then(|last| ends.get(last))
                .map(|(_, index)| *index),
        );
        match ends.get_mut(length) {
            Some(end) => *end = (*number, index),
            None => ends.push((*number, index)),
        }
    }
    let mut rise = HashSet::new();
    let mut next = ends.last().map(|(_, index)| *index);
    while let Some(index) = next {
        rise.insert(index);
        next = earlier.get(index).copied().flatten();
    }
    rise
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]
mod tests {
    use super::*;

    fn order(ids: &[Uuid], order: &[usize]) -> Vec<(Uuid, Above)> {
        order.iter().map(|at| (ids[*at], None)).collect()
    }

    #[test]
    fn only_the_part_that_was_dragged_is_moved() {
        let ids: Vec<Uuid> = (0..5).map(|_| Uuid::now_v7()).collect();
        for (now, expected) in [
            (vec![0, 1, 2, 3, 4], vec![]),
            (vec![4, 0, 1, 2, 3], vec![4]),
            (vec![1, 2, 3, 4, 0], vec![0]),
            (vec![0, 2, 3, 4], vec![]),
            (vec![0, 3, 2, 4], vec![3]),
        ] {
            let before = order(&ids, &[0, 1, 2, 3, 4]);
            let found = moved(before.into_iter(), order(&ids, &now).into_iter());
            let expected: Vec<HashSet<Uuid>> = match expected.as_slice() {
                // Either of two neighbours explains a swap.
                [3] => vec![HashSet::from([ids[3]]), HashSet::from([ids[2]])],
                some => vec![some.iter().map(|at| ids[*at]).collect()],
            };
            assert!(expected.contains(&found), "{now:?}");
        }
    }

    #[test]
    fn a_part_with_another_parent_is_moved() {
        let (part, above, other) = (Uuid::now_v7(), Uuid::now_v7(), Uuid::now_v7());
        let found = moved([(part, Some(above))].into_iter(), [(part, Some(other))].into_iter());
        assert_eq!(found, HashSet::from([part]));
    }
}

//! How the copies are graded.

use std::collections::HashMap;

use super::{Copies, Pair, ROWS, pairs};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, GradeCategoryId, PageId};
use kurso_db::{Tx, args, sql};

impl Copies {
    /// The copy of a course has the settings and categories of its gradebook. A copied page counts as its original does.
    pub(super) async fn write_gradebook(&self, tx: &mut Tx, from: CourseId) -> Result<()> {
        let mut categories: HashMap<GradeCategoryId, GradeCategoryId> = HashMap::new();
        if self.course != from {
            sql!(
                "INSERT INTO grade_settings (course_id, scheme, thresholds, missing_counts_as_zero, is_blind)
                 SELECT $1, scheme, thresholds, missing_counts_as_zero, is_blind FROM grade_settings WHERE course_id = $2",
                self.course,
                from
            )
            .execute(&mut *tx)
            .await?;
            let stored = sql!("SELECT id FROM grade_categories WHERE course_id = $1", from);
            let stored = stored.fetch_all::<(GradeCategoryId,)>(&mut *tx).await?;
            let copies: Vec<_> = stored
                .into_iter()
                .map(|(old,)| Pair {
                    old,
                    new: GradeCategoryId::new(),
                    parent: self.course,
                })
                .collect();
            for chunk in copies.chunks(ROWS) {
                let insert = sql!(
                    "INSERT INTO grade_categories (id, course_id, title, position, weight, drop_lowest)
                     SELECT m.column2, m.column3, s.title, s.position, s.weight, s.drop_lowest"
                );
                pairs(insert, chunk)
                    .push(" JOIN grade_categories s ON s.id = m.column1")
                    .execute(&mut *tx)
                    .await?;
            }
            categories = copies.into_iter().map(|pair| (pair.old, pair.new)).collect();
        }
        let pages: HashMap<PageId, PageId> = self.pages.iter().map(|page| (page.old, page.new)).collect();
        let stored = sql!(
            "SELECT page_id, category_id, points, extra_credit, is_excluded FROM grade_items WHERE course_id = $1",
            from
        );
        let stored = stored
            .fetch_all::<(PageId, Option<GradeCategoryId>, i64, bool, bool)>(&mut *tx)
            .await?;
        let copies = stored
            .into_iter()
            .filter_map(|(page, category, points, extra_credit, is_excluded)| {
                let category = category.map(|id| categories.get(&id).copied().unwrap_or(id));
                Some((*pages.get(&page)?, category, points, extra_credit, is_excluded))
            });
        let copies: Vec<_> = copies.collect();
        for chunk in copies.chunks(ROWS) {
            sql!(
                "INSERT INTO grade_items (page_id, course_id, category_id, points, extra_credit, is_excluded) VALUES "
            )
            .push_rows(chunk, |(page, category, points, extra_credit, is_excluded)| {
                args![*page, self.course, *category, *points, *extra_credit, *is_excluded]
            })
            .execute(&mut *tx)
            .await?;
        }
        Ok(())
    }
}

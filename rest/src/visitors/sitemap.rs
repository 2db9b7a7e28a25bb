//! The sitemap of public courses, and what robots may read.

use kurso_base::wire;
use kurso_core::Kurso;
use kurso_core::public_page::SitemapEntry;
use kurso_formats::escaped;

/// The catalogue and the public courses (sitemaps.org).
pub fn sitemap(kurso: &Kurso, courses: &[SitemapEntry]) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    out.push_str(&format!(
        "<url><loc>{}</loc></url>\n",
        escaped(&kurso.mail.page("/courses"))
    ));
    for course in courses {
        let address = kurso.mail.page(&format!("/courses/{}", course.course_id));
        out.push_str(&format!(
            "<url><loc>{}</loc><lastmod>{}</lastmod></url>\n",
            escaped(&address),
            wire::time_text(&course.updated_at)
        ));
    }
    out.push_str("</urlset>\n");
    out
}

/// Robots read the pages for visitors; the rest needs an account.
pub fn robots(kurso: &Kurso) -> String {
    format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /graphql\nDisallow: /files/\n\nSitemap: {}\n",
        kurso.mail.page("/sitemap.xml")
    )
}

//! DOCX files, assembled part by part.

use super::zipped;

/// A document of these parts; `body` is the content of `w:body`.
pub fn docx(body: &str, others: &[(&str, &[u8])]) -> Vec<u8> {
    let text = format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"w\" xmlns:r=\"r\" xmlns:v=\"v\" xmlns:o=\"o\" xmlns:a=\"a\" xmlns:wp=\"wp\" xmlns:m=\"m\"><w:body>{body}</w:body></w:document>"
    );
    let styles = r#"<w:styles xmlns:w="w"><w:style w:styleId="1"><w:name w:val="heading 1"/></w:style></w:styles>"#;
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("word/document.xml", text.as_bytes()),
        ("word/styles.xml", styles.as_bytes()),
    ];
    parts.extend(others);
    zipped(&parts)
}

//! What can be wrong with the input.

/// Why a certificate or a badge cannot be made or is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Not `#rrggbb`.
    #[error("a colour is written as #rrggbb")]
    Color,
    /// The bytes are not a PNG, JPEG, WebP or GIF picture.
    #[error("the picture is not PNG, JPEG, WebP or GIF")]
    PictureFormat,
    /// The picture has too many pixels.
    #[error("the picture has more than 50 megapixels")]
    PictureTooLarge,
    /// The picture is cut off or damaged.
    #[error("the picture is damaged")]
    PictureBroken,
    /// The text does not fit into a QR code.
    #[error("the text is too long for a QR code")]
    QrTooLong,
    /// The PDF writer failed; its message.
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
    /// Not a private key of P-256, or not a public key as this crate writes it.
    #[error("not a key of P-256")]
    Key,
    /// A number is not below [`crate::badge::STATUS_LIST_LENGTH`].
    #[error("the status list has no number {0}")]
    StatusIndex(u32),
    /// Not a status list as this crate writes it.
    #[error("not a status list")]
    StatusList,
    /// Not a JWT of a credential; what is wrong.
    #[error("not a signed credential: {0}")]
    Token(&'static str),
    /// No given key signed the JWT.
    #[error("the key of the signature is unknown")]
    UnknownKey,
    /// The signature does not belong to the content.
    #[error("the signature is wrong")]
    Signature,
}

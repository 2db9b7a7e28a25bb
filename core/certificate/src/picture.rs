//! Pictures of a design: decoded, turned upright and scaled down to what print needs.

use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits, Pixel as _, RgbaImage};

use crate::color::Rgb;
use crate::error::Error;

/// Maximum size of a source picture in megapixels.
const MAX_MEGAPIXELS: u32 = 50;

/// Memory limit of the decoder: the pixels with four 16-bit channels, plus its own buffers.
const MEMORY_LIMIT: u64 = 448 << 20;

/// The bounds of a stored picture in pixels: more than 400 dpi in the widest and the highest box of a page.
const BOUNDS: (u32, u32) = (1200, 400);

/// A logo or signature: decoded pixels, at most 1200 by 400. Cloning is cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture(Arc<RgbaImage>);

impl Picture {
    /// Reads PNG, JPEG, WebP (the first frame) or GIF (the first frame), recognised by content. A photograph is turned as its EXIF
    /// orientation says, and a larger picture is scaled down. Fully transparent margins are cut off, so that the visible part is
    /// what the page places.
    ///
    /// # Errors
    /// [`Error::PictureFormat`], [`Error::PictureTooLarge`] (more than 50 megapixels), [`Error::PictureBroken`].
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let format = image::guess_format(bytes).map_err(|_| Error::PictureFormat)?;
        if !matches!(
            format,
            ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP | ImageFormat::Gif
        ) {
            return Err(Error::PictureFormat);
        }
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        let mut limits = Limits::default();
        limits.max_alloc = Some(MEMORY_LIMIT);
        reader.limits(limits);
        let mut decoder = reader.into_decoder().map_err(error)?;
        let (width, height) = decoder.dimensions();
        if u64::from(width) * u64::from(height) > u64::from(MAX_MEGAPIXELS) * 1_000_000 {
            return Err(Error::PictureTooLarge);
        }
        let orientation = decoder.orientation().map_err(error)?;
        let mut image = DynamicImage::from_decoder(decoder).map_err(error)?;
        image.apply_orientation(orientation);
        // Transparent margins are cut off first: the rest may have the resolution.
        let mut image = DynamicImage::ImageRgba8(cropped(image.into_rgba8()));
        if image.width() > BOUNDS.0 || image.height() > BOUNDS.1 {
            image = image.resize(BOUNDS.0, BOUNDS.1, image::imageops::FilterType::CatmullRom);
        }
        Ok(Picture(Arc::new(image.into_rgba8())))
    }

    /// Width and height in pixels, each at least 1.
    pub fn size(&self) -> (u32, u32) {
        self.0.dimensions()
    }

    /// A copy in one color. `alpha` says for the brightness of a pixel, 0 to 255, how opaque it gets at most.
    pub(crate) fn recolored(&self, color: Rgb, alpha: impl Fn(u8) -> u8) -> Self {
        let mut image = RgbaImage::clone(&self.0);
        for pixel in image.pixels_mut() {
            let opacity = u16::from(pixel.0[3]) * u16::from(alpha(pixel.to_luma().0[0])) / 255;
            let opacity = u8::try_from(opacity).unwrap_or(u8::MAX);
            pixel.0 = [color.red, color.green, color.blue, opacity];
        }
        Picture(Arc::new(image))
    }

    pub(crate) fn pixels(&self) -> &RgbaImage {
        &self.0
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = self.size();
        write!(f, "Picture({width}x{height})")
    }
}

fn error(error: image::ImageError) -> Error {
    match error {
        image::ImageError::Limits(_) => Error::PictureTooLarge,
        _ => Error::PictureBroken,
    }
}

/// Without its fully transparent margins. A picture without a visible pixel stays as it is.
fn cropped(image: RgbaImage) -> RgbaImage {
    let (mut left, mut top, mut right, mut bottom) = (u32::MAX, u32::MAX, 0, 0);
    for (x, y, pixel) in image.enumerate_pixels() {
        if pixel.0[3] > 0 {
            (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
        }
    }
    if left > right || (left, top, right + 1, bottom + 1) == (0, 0, image.width(), image.height()) {
        return image;
    }
    image::imageops::crop_imm(&image, left, top, right - left + 1, bottom - top + 1).to_image()
}

#[cfg(test)]
mod tests {
    use image::codecs::jpeg::JpegEncoder;
    use image::{Rgb, Rgba};
    use proptest::prelude::*;

    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let image = RgbaImage::from_pixel(width, height, Rgba([1, 2, 3, 255]));
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    fn jpeg() -> Vec<u8> {
        let mut bytes = Vec::new();
        let image = image::RgbImage::from_fn(64, 48, |x, y| Rgb([x as u8 * 3, y as u8 * 5, 77]));
        JpegEncoder::new(&mut bytes).encode_image(&image).unwrap();
        bytes
    }

    #[test]
    fn pictures_are_scaled_down_to_what_print_needs() {
        let size = |width, height| Picture::read(&png(width, height)).unwrap().size();
        assert_eq!(size(640, 320), (640, 320));
        assert_eq!(size(4000, 1000), (1200, 300));
        assert_eq!(size(20_000, 2), (1200, 1));
        assert_eq!(size(1, 1000), (1, 400));
        assert_eq!(Picture::read(&jpeg()).unwrap().size(), (64, 48));
    }

    #[test]
    fn transparent_margins_are_cut_off() {
        let mut image = RgbaImage::from_pixel(100, 100, Rgba([0; 4]));
        image.put_pixel(20, 30, Rgba([0, 0, 0, 255]));
        image.put_pixel(59, 49, Rgba([0, 0, 0, 10]));
        assert_eq!(cropped(image).dimensions(), (40, 20));
        assert_eq!(cropped(RgbaImage::new(7, 5)).dimensions(), (7, 5));
    }

    #[test]
    fn other_files_are_an_error() {
        for bytes in [
            &b""[..],
            b"hello",
            b"%PDF-1.7",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"BM\0\0\0\0",
        ] {
            assert_eq!(Picture::read(bytes), Err(Error::PictureFormat));
        }
    }

    #[test]
    fn huge_pictures_are_an_error() {
        let mut bytes = png(1, 1);
        // Width and height in the header, with its checksum.
        bytes[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        let mut sum = flate2::Crc::new();
        sum.update(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&sum.sum().to_be_bytes());
        assert_eq!(Picture::read(&bytes), Err(Error::PictureTooLarge));
    }

    #[test]
    fn damaged_pictures_are_an_error() {
        let whole = png(50, 50);
        assert_eq!(Picture::read(&whole[..whole.len() / 2]), Err(Error::PictureBroken));
        assert_eq!(Picture::read(&whole[..20]), Err(Error::PictureBroken));
        assert_eq!(Picture::read(&jpeg()[..30]), Err(Error::PictureBroken));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(at in 0usize..4000, byte in any::<u8>(), is_png in any::<bool>()) {
            let mut bytes = if is_png { png(40, 30) } else { jpeg() };
            let at = at % bytes.len();
            bytes[at] = byte;
            let _ = Picture::read(&bytes);
        }
    }
}

//! Avatars, covers, logos and signatures: decodes an uploaded image, crops it to a shape of limited size and removes its metadata. Decoding
//! takes time and memory, so callers run it in a bounded pool outside the async threads.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};

use super::avif;
use kurso_base::messages::Message;
use kurso_formats::sniff::{self, HEAD};

/// The shape of a picture. Smaller pictures are not enlarged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A square of at most 512 pixels, twice the displayed size of an avatar.
    Square,
    /// 16:9, at most 1280 by 720 pixels, which previews of shared links show sharply.
    Cover,
    /// The whole picture, at most 1200 pixels wide and high, which is sharp in print.
    Whole,
}

impl Shape {
    /// The largest width and height in pixels.
    fn bounds(self) -> (u32, u32) {
        match self {
            Shape::Square => (512, 512),
            Shape::Cover => (1280, 720),
            Shape::Whole => (1200, 1200),
        }
    }
}

/// Maximum size of the source picture in megapixels.
const MAX_MEGAPIXELS: u32 = 50;

/// Maximum side of the source picture in pixels.
const MAX_SIDE: u32 = 30_000;

/// Memory limit of the decoder: 50 megapixels with four 16-bit channels, plus its own buffers.
const MEMORY_LIMIT: u64 = 448 << 20;

/// JPEG quality of 100; no visible loss in photographs.
const JPEG_QUALITY: u8 = 85;

/// A picture in its shape, encoded.
#[derive(Debug)]
pub struct Picture {
    pub bytes: Vec<u8>,
    pub content_type: &'static str,
    /// The file extension.
    pub extension: &'static str,
    pub width: u32,
    pub height: u32,
}

/// Decodes a picture, applies its EXIF orientation, crops its centre to the shape and scales it down.
pub fn shaped(bytes: &[u8], shape: Shape) -> Result<Picture, Message> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let format = match sniff::content_type(head) {
        "image/png" => ImageFormat::Png,
        "image/jpeg" => ImageFormat::Jpeg,
        "image/webp" => ImageFormat::WebP,
        "image/gif" => ImageFormat::Gif,
        "image/avif" => {
            let image = avif::decode(bytes, MAX_MEGAPIXELS * 1_000_000)?;
            return encode(crop(scale_down(image, shape), shape));
        }
        _ => return Err(Message::NotAPicture),
    };
    if format == ImageFormat::Jpeg && !is_whole_jpeg(bytes) {
        return Err(Message::BrokenPicture);
    }
    encode(crop(decode(bytes, format, shape)?, shape))
}

fn decode(bytes: &[u8], format: ImageFormat, shape: Shape) -> Result<DynamicImage, Message> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MEMORY_LIMIT);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > u64::from(MAX_MEGAPIXELS) * 1_000_000 {
        return Err(too_many_pixels());
    }
    // A picture without a readable orientation is used as it is.
    let orientation = decoder.orientation();
    let mut image = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    if let Ok(orientation) = orientation {
        // Scale first, because rotating copies the picture. Rotation may swap its width and height.
        let (longer, _) = shape.bounds();
        image = cover(image, (longer, longer));
        image.apply_orientation(orientation);
    }
    Ok(scale_down(image, shape))
}

fn too_many_pixels() -> Message {
    Message::TooManyPixels(MAX_MEGAPIXELS)
}

fn unreadable(error: image::ImageError) -> Message {
    tracing::debug!(%error, "a picture could not be read");
    match error {
        image::ImageError::Limits(_) => too_many_pixels(),
        _ => Message::BrokenPicture,
    }
}

/// Whether the file ends after its last scan. The decoder would fill the missing part of a truncated JPEG with grey;
/// the end marker of an embedded thumbnail comes earlier.
fn is_whole_jpeg(bytes: &[u8]) -> bool {
    let last = |marker: u8| bytes.windows(2).rposition(|pair| *pair == [0xff, marker]);
    matches!((last(0xda), last(0xd9)), (Some(scan), Some(end)) if end > scan)
}

/// Scales the picture down until it just covers the bounds, or fits into them if it is not cropped.
fn scale_down(image: DynamicImage, shape: Shape) -> DynamicImage {
    let (width, height) = shape.bounds();
    match shape {
        Shape::Square | Shape::Cover => cover(image, (width, height)),
        Shape::Whole if image.width() > width || image.height() > height => image.thumbnail(width, height),
        Shape::Whole => image,
    }
}

/// Scales the picture down until it just covers the bounds.
fn cover(image: DynamicImage, (width, height): (u32, u32)) -> DynamicImage {
    let [own_width, own_height] = [image.width(), image.height()].map(u64::from);
    let (width, height) = (u64::from(width), u64::from(height));
    if own_width <= width || own_height <= height {
        return image;
    }
    let cut = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
    // The side that is shorter in relation to its bound gets the bound.
    let (width, height) = if own_width * height <= own_height * width {
        (width, own_height * width / own_width)
    } else {
        (own_width * height / own_height, height)
    };
    image.thumbnail_exact(cut(width), cut(height))
}

fn crop(image: DynamicImage, shape: Shape) -> DynamicImage {
    let (own_width, own_height) = (image.width(), image.height());
    let (width, height) = match shape {
        Shape::Whole => return image,
        Shape::Square => (own_width.min(own_height), own_width.min(own_height)),
        Shape::Cover => {
            let fitting =
                |length: u32, by: u64, to: u64| u32::try_from(u64::from(length) * by / to).unwrap_or(u32::MAX).max(1);
            (
                fitting(own_height, 16, 9).min(own_width),
                fitting(own_width, 9, 16).min(own_height),
            )
        }
    };
    image.crop_imm((own_width - width) / 2, (own_height - height) / 2, width, height)
}

/// Encodes opaque pictures as JPEG, others as PNG.
fn encode(image: DynamicImage) -> Result<Picture, Message> {
    let (width, height) = (image.width(), image.height());
    let mut bytes = Vec::new();
    let pixels = image.to_rgba8();
    let (written, content_type, extension) = if pixels.pixels().any(|pixel| pixel.0[3] < 255) {
        let written = pixels.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png);
        (written, "image/png", "png")
    } else {
        let written = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY).encode_image(&image.to_rgb8());
        (written, "image/jpeg", "jpg")
    };
    written.map_err(unreadable)?;
    Ok(Picture {
        bytes,
        content_type,
        extension,
        width,
        height,
    })
}

#[cfg(test)]
mod tests {
    use image::{Frame, Rgba, RgbaImage};

    use super::*;

    fn square(bytes: &[u8]) -> Result<Picture, Message> {
        shaped(bytes, Shape::Square)
    }

    const RED: Rgba<u8> = Rgba([220, 20, 20, 255]);
    const BLUE: Rgba<u8> = Rgba([20, 20, 220, 255]);

    /// The left half is red, the right half blue.
    fn halves(width: u32, height: u32) -> RgbaImage {
        RgbaImage::from_fn(width, height, |x, _| if x < width / 2 { RED } else { BLUE })
    }

    fn written(image: &RgbaImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        let image = DynamicImage::from(image.clone());
        // JPEG has no transparency.
        let image = if format == ImageFormat::Jpeg {
            image.to_rgb8().into()
        } else {
            image
        };
        image.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
        bytes
    }

    fn read(square: &Picture) -> RgbaImage {
        let image = image::load_from_memory(&square.bytes).unwrap();
        assert_eq!((image.width(), image.height()), (square.width, square.width));
        image.to_rgba8()
    }

    fn is_near(pixel: &Rgba<u8>, colour: Rgba<u8>) -> bool {
        pixel.0.iter().zip(colour.0).all(|(a, b)| a.abs_diff(b) <= 12)
    }

    /// The colours near the middles of the four sides: left, top, right, bottom.
    fn sides(square: &Picture) -> [&'static str; 4] {
        let image = read(square);
        let (near, middle, far) = (
            square.width / 8,
            square.width * 3 / 8,
            square.width - 1 - square.width / 8,
        );
        [(near, middle), (middle, near), (far, middle), (middle, far)].map(|(x, y)| {
            let pixel = image.get_pixel(x, y);
            match (is_near(pixel, RED), is_near(pixel, BLUE)) {
                (true, false) => "red",
                (false, true) => "blue",
                _ => panic!("{pixel:?}"),
            }
        })
    }

    #[test]
    fn every_format_becomes_a_square() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
            for (width, height, side) in [(1600, 1200, 512), (80, 60, 60), (600, 2000, 512)] {
                let square = square(&written(&halves(width, height), format)).unwrap();
                assert_eq!((square.width, square.content_type), (side, "image/jpeg"), "{format:?}");
                assert_eq!(sides(&square), ["red", "red", "blue", "red"], "{format:?}");
            }
        }
    }

    #[test]
    fn a_cover_is_cropped_to_16_9() {
        for (width, height, expected) in [
            (3200, 1800, (1280, 720)),
            (4000, 1000, (1280, 720)),
            (1000, 3000, (1000, 562)),
            (1600, 1600, (1280, 720)),
            (320, 180, (320, 180)),
            (100, 10, (17, 10)),
            (2, 2, (2, 1)),
        ] {
            let cover = shaped(&written(&halves(width, height), ImageFormat::Png), Shape::Cover).unwrap();
            assert_eq!((cover.width, cover.height), expected, "{width} x {height}");
            let image = image::load_from_memory(&cover.bytes).unwrap();
            assert_eq!((image.width(), image.height()), expected);
        }
        // Turned by its orientation, the photograph is portrait.
        let cover = shaped(&photograph(6), Shape::Cover).unwrap();
        assert_eq!((cover.width, cover.height), (480, 270));
    }

    #[test]
    fn a_whole_picture_is_scaled_down_only() {
        for (width, height, expected) in [
            (2400, 600, (1200, 300)),
            (600, 3600, (200, 1200)),
            (1200, 1200, (1200, 1200)),
            (40, 10, (40, 10)),
        ] {
            let whole = shaped(&written(&halves(width, height), ImageFormat::Png), Shape::Whole).unwrap();
            assert_eq!((whole.width, whole.height), expected, "{width} x {height}");
        }
        let turned = shaped(&photograph(6), Shape::Whole).unwrap();
        assert_eq!((turned.width, turned.height), (480, 640));
    }

    #[test]
    fn avif_supports_all_chroma_formats_and_ranges() {
        for bytes in [
            &include_bytes!("../../tests/pictures/red-blue-420.avif")[..],
            include_bytes!("../../tests/pictures/red-blue-444.avif"),
        ] {
            let square = square(bytes).unwrap();
            assert_eq!((square.width, square.content_type), (60, "image/jpeg"));
            assert_eq!(sides(&square), ["red", "red", "blue", "red"]);
        }
        let clear = square(include_bytes!("../../tests/pictures/green-clear.avif")).unwrap();
        let image = read(&clear);
        assert_eq!(clear.content_type, "image/png");
        assert!(is_near(image.get_pixel(5, 30), Rgba([20, 200, 20, 255])));
        assert!(image.get_pixel(55, 30).0[3] < 12);
        let grey = read(&square(include_bytes!("../../tests/pictures/grey.avif")).unwrap());
        assert!(grey.get_pixel(45, 2).0[0] < 20 && grey.get_pixel(45, 87).0[0] > 235);
    }

    #[test]
    fn transparency_is_kept() {
        let image = RgbaImage::from_fn(1000, 1000, |x, _| Rgba([0, 200, 0, if x < 500 { 0 } else { 255 }]));
        let square = square(&written(&image, ImageFormat::Png)).unwrap();
        assert_eq!(square.content_type, "image/png");
        let image = read(&square);
        assert_eq!(
            (image.get_pixel(100, 100).0[3], image.get_pixel(400, 100).0),
            (0, [0, 200, 0, 255])
        );
    }

    #[test]
    fn animations_use_their_first_frame() {
        let mut bytes = Vec::new();
        let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
        let frames = [halves(100, 100), RgbaImage::from_pixel(100, 100, BLUE)];
        encoder.encode_frames(frames.map(Frame::new)).unwrap();
        drop(encoder);
        assert_eq!(sides(&square(&bytes).unwrap()), ["red", "red", "blue", "red"]);
    }

    /// A JPEG with EXIF data: orientation and location.
    fn photograph(orientation: u8) -> Vec<u8> {
        let plain = written(&halves(640, 480), ImageFormat::Jpeg);
        let mut exif = b"\xff\xe1\x00\x00Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
        exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
        exif.extend(b"GPS 55.75 37.62");
        let length = u16::try_from(exif.len() - 2).unwrap();
        exif[2..4].copy_from_slice(&length.to_be_bytes());
        [&plain[..2], &exif, &plain[2..]].concat()
    }

    #[test]
    fn photographs_are_rotated_and_lose_their_metadata() {
        for (orientation, expected) in [
            (1, ["red", "red", "blue", "red"]),
            (3, ["blue", "blue", "red", "blue"]),
            (6, ["red", "red", "red", "blue"]),
            (8, ["blue", "blue", "blue", "red"]),
        ] {
            let square = square(&photograph(orientation)).unwrap();
            let seen = sides(&square);
            let [left, top, right, bottom] = seen;
            if orientation < 5 {
                assert_eq!((left, right), (expected[0], expected[2]), "{orientation}");
            } else {
                assert_eq!((top, bottom), (expected[1], expected[3]), "{orientation}");
            }
            let holds = |text: &[u8]| square.bytes.windows(text.len()).any(|found| found == text);
            assert!(!holds(b"Exif") && !holds(b"GPS"));
        }
    }

    fn refusal(bytes: &[u8]) -> Message {
        square(bytes).unwrap_err()
    }

    #[test]
    fn broken_pictures_are_rejected() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
            let noise = RgbaImage::from_fn(200, 200, |x, y| {
                let n = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761);
                Rgba([(n >> 8) as u8, (n >> 16) as u8, (n >> 24) as u8, 255])
            });
            let whole = written(&noise, format);
            square(&whole).unwrap();
            for length in [whole.len() / 2, whole.len() * 9 / 10, 40] {
                assert_eq!(refusal(&whole[..length]), Message::BrokenPicture, "{format:?} {length}");
            }
        }
        let avif = include_bytes!("../../tests/pictures/red-blue-420.avif");
        for length in [40, 200, avif.len() - 20] {
            assert_eq!(refusal(&avif[..length]), Message::BrokenPicture, "{length}");
        }
        for nothing in [
            &b""[..],
            b"text",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"%PDF-1.7",
            b"BM",
        ] {
            assert_eq!(refusal(nothing), Message::NotAPicture);
        }
    }

    /// A PNG that claims this size; its content is one compressed block.
    fn claiming(width: u32, height: u32) -> Vec<u8> {
        let mut png = written(&halves(2, 2), ImageFormat::Png);
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        let checksum = crc(&png[12..29]);
        png[29..33].copy_from_slice(&checksum.to_be_bytes());
        png
    }

    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1))
            })
        })
    }

    #[test]
    fn oversized_pictures_are_rejected_before_decoding() {
        for (width, height) in [
            (10_000, 5_001),
            (60_000, 60_000),
            (2_000_000_000, 2_000_000_000),
            (40_000, 10),
        ] {
            assert_eq!(
                refusal(&claiming(width, height)),
                Message::TooManyPixels(50),
                "{width} x {height}"
            );
        }
        assert_eq!(
            refusal(&claiming(10_000, 5_000)),
            Message::BrokenPicture,
            "this large is fine"
        );
    }
}

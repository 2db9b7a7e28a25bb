//! AVIF decoder in pure Rust: avif-parse reads the container, rav1d the frame, and this module converts the colours to
//! RGB. The image crate's decoder would need an installed C library (decision 13).

use avif_parse::AvifData;
use image::{DynamicImage, RgbaImage};
use re_rav1d::{Decoder, Picture, PixelLayout, PlanarImageComponent as Component, Settings};

use kurso_base::messages::Message;

/// Decodes a still picture, or the cover of a sequence.
pub fn decode(bytes: &[u8], max_pixels: u32) -> Result<DynamicImage, Message> {
    // Debug builds of the parser panic on some broken files.
    let read = std::panic::catch_unwind(|| avif_parse::read_avif(&mut &*bytes));
    let data = read.map_err(|_| Message::BrokenPicture)?.map_err(unreadable)?;
    check_size(&data, max_pixels)?;
    let premultiplied = data.premultiplied_alpha;
    let colour = frame(data.primary_item.to_vec(), max_pixels)?;
    let alpha = match data.alpha_item {
        Some(alpha) => Some(frame(alpha.to_vec(), max_pixels)?),
        None => None,
    };
    let mut image = to_rgba(&colour)?;
    if let Some(alpha) = alpha {
        apply_alpha(&mut image, &alpha, premultiplied)?;
    }
    Ok(DynamicImage::ImageRgba8(image))
}

/// Checks the size before anything is decoded.
fn check_size(data: &AvifData, max_pixels: u32) -> Result<(), Message> {
    let size = data.primary_item_metadata().map_err(unreadable)?;
    let pixels = u64::from(size.max_frame_width.get()) * u64::from(size.max_frame_height.get());
    if pixels > u64::from(max_pixels) {
        return Err(Message::TooManyPixels(max_pixels / 1_000_000));
    }
    Ok(())
}

fn unreadable(error: impl std::fmt::Display) -> Message {
    tracing::debug!(%error, "an AVIF picture could not be read");
    Message::BrokenPicture
}

fn frame(data: Vec<u8>, max_pixels: u32) -> Result<Picture, Message> {
    let mut settings = Settings::new();
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_all_layers(false);
    settings.set_frame_size_limit(max_pixels);
    let mut decoder = Decoder::with_settings(&settings).map_err(unreadable)?;
    match decoder.send_data(data, None, None, None) {
        Ok(()) => {}
        Err(error) if error.is_again() => {}
        Err(error) => return Err(unreadable(error)),
    }
    loop {
        match decoder.get_picture() {
            Ok(picture) => return Ok(picture),
            // The decoder needs more data before it returns a frame; without more data there is no frame.
            Err(error) if error.is_again() => match decoder.send_pending_data() {
                Ok(()) => return decoder.get_picture().map_err(unreadable),
                Err(error) if error.is_again() => {}
                Err(error) => return Err(unreadable(error)),
            },
            Err(error) => return Err(unreadable(error)),
        }
    }
}

/// One plane of a frame; samples are numbers from 0 to 1.
struct Samples {
    bytes: re_rav1d::Plane,
    stride: usize,
    /// Bytes per sample.
    wide: usize,
    /// The largest sample value.
    full: f32,
    /// Right shift of the coordinates; chroma planes are subsampled.
    shift: (u32, u32),
}

impl Samples {
    fn of(picture: &Picture, component: Component) -> Result<Self, Message> {
        let bits = picture.bits_per_component().map_or(8, |bits| bits.0);
        let shift = match (component, picture.pixel_layout()) {
            (Component::Y, _) | (_, PixelLayout::I444 | PixelLayout::I400) => (0, 0),
            (_, PixelLayout::I422) => (1, 0),
            (_, PixelLayout::I420) => (1, 1),
        };
        if !(8..=12).contains(&bits) {
            return Err(unreadable(format!("{bits} bits")));
        }
        Ok(Samples {
            bytes: picture.plane(component),
            stride: picture.stride(component) as usize,
            wide: if bits > 8 { 2 } else { 1 },
            full: ((1_u32 << bits) - 1) as f32,
            shift,
        })
    }

    fn at(&self, x: u32, y: u32) -> f32 {
        let (x, y) = ((x >> self.shift.0) as usize, (y >> self.shift.1) as usize);
        let at = y * self.stride + x * self.wide;
        let sample = match self.bytes.get(at..at + self.wide) {
            Some([byte]) => u16::from(*byte),
            Some([low, high]) => u16::from_ne_bytes([*low, *high]),
            _ => 0,
        };
        f32::from(sample) / self.full
    }
}

/// How samples map to colours.
struct Colours {
    /// Whether samples use the limited range, such as 16..235 of 0..255.
    limited: bool,
    /// The weights of red and blue in the brightness. None: the planes are green, blue and red.
    weights: Option<(f32, f32)>,
}

impl Colours {
    fn of(picture: &Picture) -> Self {
        use av_data::pixel::{MatrixCoefficients as M, YUVRange};
        Colours {
            limited: matches!(picture.color_range(), YUVRange::Limited),
            weights: match picture.matrix_coefficients() {
                M::Identity => None,
                M::BT709 => Some((0.2126, 0.0722)),
                M::BT2020NonConstantLuminance | M::BT2020ConstantLuminance => Some((0.2627, 0.0593)),
                _ => Some((0.299, 0.114)),
            },
        }
    }

    fn brightness(&self, sample: f32) -> f32 {
        if self.limited {
            (sample * 255.0 - 16.0) / 219.0
        } else {
            sample
        }
    }

    fn difference(&self, sample: f32) -> f32 {
        let middle = sample - 128.0 / 255.0;
        if self.limited { middle * 255.0 / 224.0 } else { middle }
    }

    fn rgb(&self, y: f32, u: f32, v: f32) -> [f32; 3] {
        let Some((red, blue)) = self.weights else {
            return [self.brightness(v), self.brightness(y), self.brightness(u)];
        };
        let (y, u, v) = (self.brightness(y), self.difference(u), self.difference(v));
        let r = y + 2.0 * (1.0 - red) * v;
        let b = y + 2.0 * (1.0 - blue) * u;
        let g = (y - red * r - blue * b) / (1.0 - red - blue);
        [r, g, b]
    }
}

fn byte(value: f32) -> u8 {
    (value * 255.0).round().clamp(0.0, 255.0) as u8
}

fn to_rgba(picture: &Picture) -> Result<RgbaImage, Message> {
    let colours = Colours::of(picture);
    let y = Samples::of(picture, Component::Y)?;
    let mut image = RgbaImage::new(picture.width(), picture.height());
    if picture.pixel_layout() == PixelLayout::I400 {
        for (x, row, pixel) in image.enumerate_pixels_mut() {
            let grey = byte(colours.brightness(y.at(x, row)));
            pixel.0 = [grey, grey, grey, 255];
        }
        return Ok(image);
    }
    let (u, v) = (Samples::of(picture, Component::U)?, Samples::of(picture, Component::V)?);
    for (x, row, pixel) in image.enumerate_pixels_mut() {
        let [r, g, b] = colours.rgb(y.at(x, row), u.at(x, row), v.at(x, row)).map(byte);
        pixel.0 = [r, g, b, 255];
    }
    Ok(image)
}

fn apply_alpha(image: &mut RgbaImage, alpha: &Picture, premultiplied: bool) -> Result<(), Message> {
    if (alpha.width(), alpha.height()) != image.dimensions() {
        return Err(unreadable("the transparency is of another size"));
    }
    let colours = Colours::of(alpha);
    let samples = Samples::of(alpha, Component::Y)?;
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        let alpha = colours.brightness(samples.at(x, y)).clamp(0.0, 1.0);
        let [r, g, b, _] = pixel.0;
        let by = if premultiplied && alpha > 0.0 {
            255.0 * alpha
        } else {
            255.0
        };
        let [r, g, b] = [r, g, b].map(|colour| byte(f32::from(colour) / by));
        pixel.0 = [r, g, b, byte(alpha)];
    }
    Ok(())
}

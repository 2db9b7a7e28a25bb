//! Places on the page.

use krilla::geom::Rect;

/// Where a line begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Align {
    Left,
    Center,
    Right,
}

/// A rectangle in points, from the upper left corner of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

impl Frame {
    pub fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Frame { x, y, width, height }
    }

    /// Larger by a margin on every side.
    pub fn grown(self, margin: f32) -> Self {
        Frame::new(
            self.x - margin,
            self.y - margin,
            self.width + 2.0 * margin,
            self.height + 2.0 * margin,
        )
    }

    pub fn rect(self) -> Option<Rect> {
        Rect::from_xywh(self.x, self.y, self.width, self.height)
    }
}

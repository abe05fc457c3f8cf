//! A grey image, turned by quarters and straightened, and the way back.

/// A grey image: rows from the top, one byte a pixel, 0 black, 255 white.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GreyImage {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` bytes.
    pub pixels: Vec<u8>,
}

const WHITE: u8 = 255;

impl GreyImage {
    /// An image whose pixels are computed from their places.
    pub fn from_fn(width: u32, height: u32, mut pixel: impl FnMut(u32, u32) -> u8) -> Self {
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            pixels.extend((0..width).map(|x| pixel(x, y)));
        }
        GreyImage { width, height, pixels }
    }

    /// The pixel, white beyond the edges.
    pub fn at(&self, x: i64, y: i64) -> u8 {
        match (u32::try_from(x), u32::try_from(y)) {
            (Ok(x), Ok(y)) if x < self.width && y < self.height => {
                self.pixels.get(y as usize * self.width as usize + x as usize).copied().unwrap_or(WHITE)
            }
            _ => WHITE,
        }
    }

    /// The rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.pixels.chunks_exact(self.width.max(1) as usize)
    }

    /// The image that a PNG shows, transparency taken away; `None` where it is none.
    pub fn from_png(png: &[u8]) -> Option<GreyImage> {
        let image = image::load_from_memory_with_format(png, image::ImageFormat::Png).ok()?.into_luma8();
        Some(GreyImage { width: image.width(), height: image.height(), pixels: image.into_raw() })
    }

    /// The image as a portable grey map, binary form.
    pub fn to_pgm(&self) -> Vec<u8> {
        let mut out = format!("P5\n{} {}\n255\n", self.width, self.height).into_bytes();
        out.extend_from_slice(&self.pixels);
        out
    }

    /// The image, smaller by a whole factor; each pixel is the mean of those that it replaces.
    pub(super) fn reduced(&self, factor: u32) -> GreyImage {
        let factor = factor.max(1);
        let (width, height) = (self.width / factor, self.height / factor);
        let mut sums = vec![0_u32; width as usize];
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        for (y, row) in self.rows().take((height * factor) as usize).enumerate() {
            for (sum, piece) in sums.iter_mut().zip(row.chunks_exact(factor as usize)) {
                *sum += piece.iter().map(|p| u32::from(*p)).sum::<u32>();
            }
            if (y as u32 + 1).is_multiple_of(factor) {
                pixels.extend(sums.iter_mut().map(|sum| (std::mem::take(sum) / (factor * factor)) as u8));
            }
        }
        GreyImage { width, height, pixels }
    }

    /// The grey that best parts ink from paper: Otsu's method.
    pub(super) fn threshold(&self) -> u8 {
        let mut counts = [0_u64; 256];
        for pixel in &self.pixels {
            if let Some(count) = counts.get_mut(usize::from(*pixel)) {
                *count += 1;
            }
        }
        let total = self.pixels.len() as f64;
        let sum: f64 = counts.iter().zip(0..).map(|(count, grey)| *count as f64 * f64::from(grey)).sum();
        let (mut below, mut sum_below) = (0.0, 0.0);
        let (mut best, mut threshold) = (-1.0, 127);
        for (count, grey) in counts.iter().zip(0_u8..=255) {
            below += *count as f64;
            sum_below += *count as f64 * f64::from(grey);
            let above = total - below;
            if below == 0.0 || above <= 0.0 {
                continue;
            }
            let apart = sum_below / below - (sum - sum_below) / above;
            let between = below * above * apart * apart;
            if between > best {
                (best, threshold) = (between, grey);
            }
        }
        threshold
    }
}

/// How an image has to be turned to stand upright.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Upright {
    /// Clockwise quarter turns.
    pub(crate) quarters: u8,
    /// Degrees by which lines of text fall to the right after those turns.
    pub(crate) skew: f32,
    /// Size of the image as it is, in pixels.
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Upright {
    /// True where the image stands upright as it is.
    pub(crate) fn is_as_shown(&self) -> bool {
        self.quarters == 0 && self.skew == 0.0
    }

    /// Size after the quarter turns.
    fn turned(&self) -> (f32, f32) {
        let (width, height) = (self.width as f32, self.height as f32);
        if self.quarters.is_multiple_of(2) { (width, height) } else { (height, width) }
    }

    fn rotation(&self) -> (f32, f32) {
        if self.skew == 0.0 { (0.0, 1.0) } else { self.skew.to_radians().sin_cos() }
    }

    /// Size of the upright image: nothing is cut off.
    fn size(&self) -> (u32, u32) {
        let (width, height) = self.turned();
        let (sin, cos) = self.rotation();
        let sin = sin.abs();
        ((width * cos + height * sin).round() as u32, (height * cos + width * sin).round() as u32)
    }

    /// From a place on the upright image to the place on the image as it is, both in pixels.
    fn to_image(self, x: f32, y: f32) -> (f32, f32) {
        let ((width, height), (turned_width, turned_height)) = (self.size(), self.turned());
        let (sin, cos) = self.rotation();
        let (dx, dy) = (x - width as f32 / 2.0, y - height as f32 / 2.0);
        let x = turned_width / 2.0 + dx * cos - dy * sin;
        let y = turned_height / 2.0 + dx * sin + dy * cos;
        match self.quarters % 4 {
            0 => (x, y),
            1 => (y, turned_width - x),
            2 => (turned_width - x, turned_height - y),
            _ => (turned_height - y, x),
        }
    }

    /// The box, in points of the page as it is shown, around a box in points of the upright page.
    pub(crate) fn to_page(self, rect: [f32; 4], scale: f32) -> [f32; 4] {
        let [x0, y0, x1, y1] = rect.map(|v| v * scale);
        let mut out = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
        for (x, y) in [(x0, y0), (x1, y0), (x0, y1), (x1, y1)] {
            let (x, y) = self.to_image(x, y);
            out = [out[0].min(x), out[1].min(y), out[2].max(x), out[3].max(y)];
        }
        let (width, height) = (self.width as f32, self.height as f32);
        let on_page = |v: f32, most: f32| (v.clamp(0.0, most) / scale * 100.0).round() / 100.0;
        [on_page(out[0], width), on_page(out[1], height), on_page(out[2], width), on_page(out[3], height)]
    }

    /// The upright image.
    pub(super) fn straighten(self, image: &GreyImage) -> GreyImage {
        let (width, height) = self.size();
        if self.skew == 0.0 {
            let place = |v: f32| v.floor() as i64;
            return GreyImage::from_fn(width, height, |x, y| {
                let (x, y) = self.to_image(x as f32 + 0.5, y as f32 + 0.5);
                image.at(place(x), place(y))
            });
        }
        GreyImage::from_fn(width, height, |x, y| {
            let (x, y) = self.to_image(x as f32 + 0.5, y as f32 + 0.5);
            mixed(image, x - 0.5, y - 0.5)
        })
    }
}

/// The grey between four pixels.
fn mixed(image: &GreyImage, x: f32, y: f32) -> u8 {
    let (left, top) = (x.floor(), y.floor());
    let (fx, fy) = (x - left, y - top);
    let (left, top) = (left as i64, top as i64);
    let at = |dx, dy| f32::from(image.at(left + dx, top + dy));
    let upper = at(0, 0) * (1.0 - fx) + at(1, 0) * fx;
    let lower = at(0, 1) * (1.0 - fx) + at(1, 1) * fx;
    (upper * (1.0 - fy) + lower * fy).round() as u8
}

//! Image-only PDFs, as a scanner makes them: a page drawn, turned, rotated and speckled the same way every
//! time.

use std::io::Write as _;

/// A grey page image.
#[derive(Clone)]
pub(crate) struct Scan {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    dpi: f32,
}

impl Scan {
    /// From the PNG of a page.
    pub(crate) fn of(png: &[u8], dpi: f32) -> Self {
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let samples = info.color_type.samples();
        let pixels = bytes[..info.buffer_size()].chunks(samples).map(|p| p[samples.min(2) - 1]).collect();
        Scan { width: info.width as usize, height: info.height as usize, pixels, dpi }
    }

    fn map(&self, width: usize, height: usize, place: impl Fn(f32, f32) -> (f32, f32)) -> Self {
        let at = |x: f32, y: f32| {
            let inside = x >= 0.0 && y >= 0.0 && x < self.width as f32 && y < self.height as f32;
            if inside { f32::from(self.pixels[y as usize * self.width + x as usize]) } else { 255.0 }
        };
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let (sx, sy) = place(x as f32 + 0.5, y as f32 + 0.5);
                // The mean of four samples: as smooth as a scanner's optics.
                let around = [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)];
                let sum: f32 = around.iter().map(|(dx, dy)| at(sx + dx, sy + dy)).sum();
                pixels.push((sum / 4.0) as u8);
            }
        }
        Scan { width, height, pixels, dpi: self.dpi }
    }

    /// Rotated clockwise by some degrees on a larger sheet.
    pub(crate) fn rotated(&self, degrees: f32) -> Self {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (w, h) = (self.width as f32, self.height as f32);
        let (width, height) = (w * cos + h * sin.abs(), h * cos + w * sin.abs());
        self.map(width as usize, height as usize, |x, y| {
            let (dx, dy) = (x - width / 2.0, y - height / 2.0);
            (w / 2.0 + dx * cos + dy * sin, h / 2.0 - dx * sin + dy * cos)
        })
    }

    /// Turned clockwise by so many right angles.
    pub(crate) fn quarters(&self, n: u8) -> Self {
        let (w, h) = (self.width as f32, self.height as f32);
        match n % 4 {
            0 => self.clone(),
            1 => self.map(self.height, self.width, |x, y| (y, h - x)),
            2 => self.map(self.width, self.height, |x, y| (w - x, h - y)),
            _ => self.map(self.height, self.width, |x, y| (w - y, x)),
        }
    }

    /// The part from this row on, so many rows high.
    pub(crate) fn rows(&self, from: usize, height: usize) -> Self {
        let pixels = self.pixels[from * self.width..(from + height) * self.width].to_vec();
        Scan { width: self.width, height, pixels, dpi: self.dpi }
    }

    /// As a PNG that names its resolution.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Grayscale);
        let per_metre = (self.dpi / 0.0254).round() as u32;
        let dims = png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit: png::Unit::Meter };
        encoder.set_pixel_dims(Some(dims));
        encoder.write_header().unwrap().write_image_data(&self.pixels).unwrap();
        out
    }

    /// With grey paper, noise and specks of dirt; the generator has a fixed seed.
    pub(crate) fn speckled(mut self) -> Self {
        let mut state = 0x2545_f491_u32;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        for pixel in &mut self.pixels {
            let noise = random();
            let grey = i32::from(*pixel) * 220 / 255 + 15 + (noise % 31) as i32 - 15;
            *pixel = if noise.is_multiple_of(20_011) { 60 } else { grey.clamp(0, 255) as u8 };
        }
        self
    }
}

/// A PDF with one image on each page and nothing else.
pub(crate) fn pdf<'a>(scans: impl Iterator<Item = &'a Scan>) -> Vec<u8> {
    let mut out = b"%PDF-1.4\n".to_vec();
    let mut places = vec![0; 2];
    let mut kids = String::new();
    for scan in scans {
        let first = places.len() + 1;
        let (width, height) = (scan.width as f32 * 72.0 / scan.dpi, scan.height as f32 * 72.0 / scan.dpi);
        let content = format!("q {width} 0 0 {height} 0 0 cm /I Do Q");
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {} 0 R \
             /Resources << /XObject << /I {} 0 R >> >> >>",
            first + 1,
            first + 2
        );
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&scan.pixels).unwrap();
        let packed = packer.finish().unwrap();
        let image = format!(
            "<< /Type /XObject /Subtype /Image /Width {} /Height {} /ColorSpace /DeviceGray \
             /BitsPerComponent 8 /Filter /FlateDecode /Length {} >>",
            scan.width,
            scan.height,
            packed.len()
        );
        kids += &format!("{first} 0 R ");
        object(&mut out, &mut places, &page, None);
        object(&mut out, &mut places, &format!("<< /Length {} >>", content.len()), Some(content.as_bytes()));
        object(&mut out, &mut places, &image, Some(&packed));
    }
    places[0] = out.len();
    out.extend_from_slice(b"1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n");
    places[1] = out.len();
    let count = (places.len() - 2) / 3;
    out.extend_from_slice(
        format!("2 0 obj << /Type /Pages /Kids [{kids}] /Count {count} >> endobj\n").as_bytes(),
    );
    let table = out.len();
    out.extend_from_slice(format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1).as_bytes());
    for place in &places {
        out.extend_from_slice(format!("{place:010} 00000 n \n").as_bytes());
    }
    let size = places.len() + 1;
    out.extend_from_slice(
        format!("trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").as_bytes(),
    );
    out
}

fn object(out: &mut Vec<u8>, places: &mut Vec<usize>, head: &str, stream: Option<&[u8]>) {
    places.push(out.len());
    out.extend_from_slice(format!("{} 0 obj\n{head}\n", places.len()).as_bytes());
    if let Some(bytes) = stream {
        out.extend_from_slice(b"stream\n");
        out.extend_from_slice(bytes);
        out.extend_from_slice(b"\nendstream\n");
    }
    out.extend_from_slice(b"endobj\n");
}

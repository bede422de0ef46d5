//! Screenshots: the area that shows a value, cropping and scaling.

use std::io::Cursor;

use serde::{Deserialize, Serialize};

/// An area of a page in CSS pixels, from its top left corner. In a full-page screenshot, one CSS pixel is one pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Area {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Width; omitted if the area reaches the edge of the picture.
    #[serde(default = "to_the_edge", skip_serializing_if = "is_to_the_edge")]
    pub width: u32,
    /// Height; omitted if the area reaches the edge. An area never extends beyond the picture.
    #[serde(default = "to_the_edge", skip_serializing_if = "is_to_the_edge")]
    pub height: u32,
}

const fn to_the_edge() -> u32 {
    u32::MAX
}

/// Whether a length exceeds any picture.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_to_the_edge(length: &u32) -> bool {
    *length > u32::MAX / 2
}

/// Width and height of a PNG, from its header; `None` for anything else.
#[must_use]
pub fn size(picture: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from_be_bytes(picture.get(at..at + 4)?.try_into().ok()?));
    picture.starts_with(b"\x89PNG").then(|| number(16).zip(number(20)))?
}

/// Maximum size of a decoded picture in bytes: a page 1,440 pixels wide and 46,000 high.
const MAX_BYTES: usize = 256 << 20;

/// Crops a PNG; `None` if the area covers the whole picture.
///
/// # Errors
/// The picture is not a PNG, has more than 256 MB of pixels, or does not overlap the area.
pub fn cut(picture: &[u8], area: Area) -> Result<Option<Vec<u8>>, String> {
    let (frame, pixels) = decode(picture)?;
    let (left, top) = (area.x.min(frame.width), area.y.min(frame.height));
    let right = area.x.saturating_add(area.width).min(frame.width);
    let bottom = area.y.saturating_add(area.height).min(frame.height);
    if left >= right || top >= bottom {
        return Err(format!(
            "an area of {}×{} pixels at {},{} is outside a picture of {}×{}",
            area.width, area.height, area.x, area.y, frame.width, frame.height
        ));
    }
    if (left, top, right, bottom) == (0, 0, frame.width, frame.height) {
        return Ok(None);
    }
    let samples = frame.color_type.samples();
    let [from, to] = [left, right].map(|edge| edge as usize * samples);
    let rows = pixels.chunks_exact(frame.line_size).take(bottom as usize).skip(top as usize);
    let part: Vec<u8> = rows.flat_map(|row| &row[from..to]).copied().collect();
    encode(&frame, (right - left, bottom - top), &part).map(Some)
}

/// Scales a PNG down to fit `width` × `height` and reduces its colours. Each pixel is the mean of those it replaces.
/// `None` if the picture already fits.
///
/// # Errors
/// The picture is not a PNG or has more than 256 MB of pixels.
pub fn scaled(picture: &[u8], width: u32, height: u32) -> Result<Option<Vec<u8>>, String> {
    /// Distance between the 16 values kept per channel.
    const STEP: u32 = 17;
    let (frame, pixels) = decode(picture)?;
    let by =
        [(frame.width, width), (frame.height, height)].map(|(is, due)| f64::from(is) / f64::from(due.max(1)));
    let by = by[0].max(by[1]);
    if by <= 1.0 {
        return Ok(None);
    }
    let small = |is: u32| ((f64::from(is) / by) as u32).max(1);
    let (columns, rows) = (small(frame.width), small(frame.height));
    let samples = frame.color_type.samples();
    // The pixels averaged for pixel `at` of `due`.
    let span = |at: u32, due: u32, is: u32| {
        let edge = |at: u32| (u64::from(at) * u64::from(is) / u64::from(due)) as usize;
        edge(at)..edge(at + 1)
    };
    let mut part = Vec::with_capacity(columns as usize * rows as usize * samples);
    for y in 0..rows {
        let lines = span(y, rows, frame.height);
        for x in 0..columns {
            let places = span(x, columns, frame.width);
            let count = (lines.len() * places.len()) as u32;
            for sample in 0..samples {
                let line = |line: usize| {
                    let places =
                        places.clone().map(move |place| line * frame.line_size + place * samples + sample);
                    places.map(|at| u32::from(pixels[at])).sum::<u32>()
                };
                let sum: u32 = lines.clone().map(line).sum();
                let mean = (sum + count / 2) / count;
                part.push(u8::try_from((mean + STEP / 2) / STEP * STEP).unwrap_or(u8::MAX));
            }
        }
    }
    encode(&frame, (columns, rows), &part).map(Some)
}

/// Decodes a picture to eight bits per channel.
fn decode(picture: &[u8]) -> Result<(png::OutputInfo, Vec<u8>), String> {
    let wrong = |error: png::DecodingError| format!("the picture cannot be read: {error}");
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(picture), png::Limits { bytes: MAX_BYTES });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(wrong)?;
    let size = reader.output_buffer_size().filter(|size| *size <= MAX_BYTES);
    let mut pixels = vec![0; size.ok_or("the picture is too large")?];
    let frame = reader.next_frame(&mut pixels).map_err(wrong)?;
    Ok((frame, pixels))
}

/// Encodes pixels as a PNG with the colour type of `frame`.
fn encode(frame: &png::OutputInfo, (width, height): (u32, u32), pixels: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(frame.color_type);
    encoder.set_depth(frame.bit_depth);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels));
    written.map_err(|error| format!("the picture cannot be written: {error}"))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture in which every pixel says where it is.
    fn picture(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        let pixels = (0..height).flat_map(|y| (0..width).flat_map(move |x| [x as u8, y as u8, 7]));
        let pixels: Vec<u8> = pixels.collect();
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        bytes
    }

    fn pixels(png: &[u8]) -> ((u32, u32), Vec<u8>) {
        let mut reader = png::Decoder::new(Cursor::new(png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        ((frame.width, frame.height), pixels)
    }

    #[test]
    fn a_part_is_cut_to_the_pixel_and_ends_with_the_picture() {
        let whole = picture(20, 10);
        let part = cut(&whole, Area { x: 3, y: 4, width: 2, height: 1 }).unwrap().unwrap();
        assert_eq!(pixels(&part), ((2, 1), vec![3, 4, 7, 4, 4, 7]));
        let edge = cut(&whole, Area { x: 19, y: 9, width: u32::MAX, height: u32::MAX }).unwrap().unwrap();
        assert_eq!(pixels(&edge), ((1, 1), vec![19, 9, 7]));
        assert_eq!(cut(&whole, Area { x: 0, y: 0, width: 500, height: 500 }).unwrap(), None);
    }

    #[test]
    fn a_smaller_picture_keeps_its_shape_and_means_of_pixels() {
        let whole = picture(20, 10);
        let small = scaled(&whole, 10, 100).unwrap().unwrap();
        let (size, found) = pixels(&small);
        assert_eq!(size, (10, 5));
        // of the columns 18 and 19, and the rows 0 and 1; the nearest values that are kept
        assert_eq!(found[27..30], [17, 0, 0]);
        assert_eq!(pixels(&scaled(&whole, 100, 1).unwrap().unwrap()).0, (2, 1));
        assert_eq!(scaled(&whole, 20, 10).unwrap(), None);
    }

    #[test]
    fn what_is_no_picture_or_lies_beside_it_is_said() {
        let beside = cut(&picture(20, 10), Area { x: 20, y: 0, width: 5, height: 5 }).unwrap_err();
        assert_eq!(beside, "an area of 5×5 pixels at 20,0 is outside a picture of 20×10");
        let whole = picture(20, 10);
        for broken in [&b"no picture"[..], &[], &whole[..whole.len() / 2]] {
            let error = cut(broken, Area { x: 0, y: 0, width: 5, height: 5 }).unwrap_err();
            assert!(error.starts_with("the picture cannot be read"), "{error}");
        }
    }
}

//! Made-up pages: text as rows of blocks, turned and skewed by known angles, and a recogniser that answers
//! with known tables.

use super::image::{GreyImage, Upright};
use super::*;
use crate::formats::pdf::glyphs::Rule;
use crate::model::Language;

/// Rows of letter-like blocks on white, falling by so many degrees.
fn text_page(degrees: f32) -> GreyImage {
    let (sin, cos) = degrees.to_radians().sin_cos();
    GreyImage::from_fn(800, 1_000, |x, y| {
        let (dx, dy) = (x as f32 - 400.0, y as f32 - 500.0);
        let (u, v) = (dx * cos + dy * sin + 1_000.0, dy * cos - dx * sin + 1_000.0);
        let (line, letter) = ((v / 24.0) as u32, (u / 9.0) as u32);
        let in_page = (690.0..1_310.0).contains(&u) && (600.0..1_400.0).contains(&v);
        // Words of uneven length, letters of two heights.
        let space = (letter * 7 + line * 5) % 11 < 2;
        let high = if (letter * 13 + line) % 4 == 0 { 4.0 } else { 8.0 };
        let inked = in_page && !space && v % 24.0 > high && v % 24.0 < 15.0 && u % 9.0 < 6.0;
        if inked { 20 } else { 240 }
    })
}

#[test]
fn the_skew_of_text_is_found_to_a_fifth_of_a_degree() {
    for degrees in [-9.5, -3.0, 0.0, 1.0, 3.0, 7.0] {
        let skew = skew::estimate(&text_page(degrees));
        assert_eq!(skew.quarters, 0, "{degrees}");
        let found = skew.upright(0).skew;
        assert!((found - degrees).abs() < 0.2, "{degrees}: {found}");
    }
}

#[test]
fn text_on_its_side_is_turned_and_its_skew_is_found() {
    let page = text_page(3.0);
    let side = Upright { quarters: 3, skew: 0.0, width: page.width, height: page.height }.straighten(&page);
    let skew = skew::estimate(&side);
    assert_eq!(skew.quarters, 1);
    let found = skew.upright(1).skew;
    assert!((found - 3.0).abs() < 0.2, "{found}");
}

#[test]
fn a_picture_has_no_skew() {
    let flat = GreyImage::from_fn(300, 300, |_, _| 200);
    assert_eq!(skew::estimate(&flat).upright(0).skew, 0.0);
    // A linear congruential generator's upper bits: no pattern at any angle.
    let mut state = 1_u32;
    let noise = GreyImage::from_fn(300, 300, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    assert_eq!(skew::estimate(&noise).upright(0).skew, 0.0);
    let nothing = GreyImage { width: 0, height: 0, pixels: Vec::new() };
    assert_eq!(skew::estimate(&nothing).upright(0).skew, 0.0);
}

#[test]
fn boxes_go_back_to_the_page_as_it_is_shown() {
    let back = |quarters| {
        Upright { quarters, skew: 0.0, width: 100, height: 200 }.to_page([0.0, 0.0, 10.0, 20.0], 1.0)
    };
    assert_eq!(back(0), [0.0, 0.0, 10.0, 20.0]);
    // A clockwise quarter turn brings the lower left corner to the top left.
    assert_eq!(back(1), [0.0, 190.0, 20.0, 200.0]);
    assert_eq!(back(2), [90.0, 180.0, 100.0, 200.0]);
    assert_eq!(back(3), [80.0, 0.0, 100.0, 10.0]);
}

#[test]
fn the_straightened_image_shows_each_place_where_its_box_says() {
    for quarters in 0..4 {
        for skew in [0.0, 6.0, -4.0] {
            let page = GreyImage::from_fn(120, 160, |x, y| {
                if (40..46).contains(&x) && (100..106).contains(&y) { 0 } else { 255 }
            });
            let upright = Upright { quarters, skew, width: 120, height: 160 };
            let image = upright.straighten(&page);
            let dark = image.pixels.iter().enumerate().filter(|(_, p)| **p < 128);
            let places: Vec<(f32, f32)> = dark
                .map(|(i, _)| ((i as u32 % image.width) as f32 + 0.5, (i as u32 / image.width) as f32 + 0.5))
                .collect();
            assert!((25..50).contains(&places.len()), "{}", places.len());
            let mean = |of: fn(&(f32, f32)) -> f32| places.iter().map(of).sum::<f32>() / places.len() as f32;
            let (x, y) = (mean(|p| p.0), mean(|p| p.1));
            let [x0, y0, _, _] = upright.to_page([x, y, x, y], 1.0);
            assert!((x0 - 43.0).abs() < 0.6 && (y0 - 103.0).abs() < 0.6, "{quarters} {skew}: {x0} {y0}");
        }
    }
}

#[test]
fn rules_of_a_table_are_found_and_letters_and_bars_are_not() {
    // 300 dpi: three rules across at 20, 60 and 100 points, two down at 30 and 230, three pixels thick; a
    // black bar; strokes as high as capitals of 12 points.
    let scale = 300.0 / 72.0;
    let at = |v: f32, pixel: u32| (pixel as f32 - v * scale).abs() < 1.6;
    let mut image = GreyImage::from_fn(1_100, 600, |x, y| {
        let across = (125..960).contains(&x) && [20.0, 60.0, 100.0].iter().any(|v| at(*v, y));
        let down = (83..418).contains(&y) && [30.0, 230.0].iter().any(|v| at(*v, x));
        let bar = (200..700).contains(&x) && (500..540).contains(&y);
        let stroke = (200..250).contains(&x) && x % 20 < 4 && (110..145).contains(&y);
        // A descender that crosses the second rule.
        let through = (400..404).contains(&x) && (230..275).contains(&y);
        if across || down || bar || stroke || through { 30 } else { 250 }
    });
    let ruled = rules::rules(&image, scale);
    let rules = ruled.in_points(scale);
    let (across, down): (Vec<&Rule>, Vec<&Rule>) = rules.iter().partition(|r| r.is_horizontal());
    let near = |found: Vec<f32>, wanted: &[f32]| {
        assert_eq!(found.len(), wanted.len(), "{rules:?}");
        assert!(found.iter().zip(wanted).all(|(f, w)| (f - w).abs() < 0.5), "{found:?}");
    };
    near(across.iter().map(|r| r.y0).collect(), &[20.0, 60.0, 100.0]);
    near(down.iter().map(|r| r.x0).collect(), &[30.0, 230.0]);
    assert!(across.iter().all(|r| (r.x0 - 30.0).abs() < 1.0 && (r.x1 - 230.0).abs() < 1.0), "{rules:?}");
    assert!(!ruled.make_cells(), "a frame with a line through it is no table");

    ruled.erase_from(&mut image);
    let dark = |x: i64, y: i64| image.at(x, y) < 100;
    assert!((83..418).all(|y| !dark(125, y)), "the left rule is gone");
    assert!((130..950).filter(|x| dark(*x, 250)).eq(400..404), "and the second one but for the descender");
    assert!((110..145).all(|y| dark(201, y)) && (500..540).all(|y| dark(300, y)), "all else stays");
}

/// Answers one after the other.
struct Answers(Vec<Result<&'static str, OcrProblem>>, Vec<OcrWish>, &'static str);

impl Recogniser for Answers {
    fn languages(&self) -> Result<&str, OcrProblem> {
        Ok(self.2)
    }

    fn ask(&mut self, wish: OcrWish, _: &GreyImage) -> Result<Vec<u8>, OcrProblem> {
        self.1.push(wish);
        self.0.remove(0).map(|answer| answer.as_bytes().to_vec())
    }
}

const GOOD: &str = "5\t1\t1\t1\t1\t1\t100\t100\t90\t32\t95\tWand\n5\t1\t1\t1\t1\t2\t210\t100\t90\t32\t95\tHaus\n\
                    5\t1\t1\t1\t1\t3\t320\t100\t60\t32\t95\tB12\n";
const BAD: &str = "5\t1\t1\t1\t1\t1\t100\t100\t90\t32\t30\tpueM\n";

fn read(answers: Vec<Result<&'static str, OcrProblem>>) -> (Result<Recognised, OcrProblem>, Vec<OcrWish>) {
    read_in("deu", &mut None, answers)
}

fn read_in(
    all: &'static str,
    habit: &mut Option<ReadIn>,
    answers: Vec<Result<&'static str, OcrProblem>>,
) -> (Result<Recognised, OcrProblem>, Vec<OcrWish>) {
    let mut answers = Answers(answers, Vec::new(), all);
    (recognise(&text_page(0.0), 1.0, &mut answers, habit), answers.1)
}

const GERMAN: OcrWish = OcrWish::Words(ReadIn::One(Language::De));

#[test]
fn a_page_is_read_again_in_the_language_that_its_words_are_in() {
    // Four words of French; the second reading has the accents.
    let line = |text: &str| -> &'static str {
        let words = text.split(' ').enumerate();
        words
            .map(|(i, w)| format!("5\t1\t1\t1\t1\t{i}\t{}\t100\t90\t32\t90\t{w}\n", 100 * i))
            .collect::<String>()
            .leak()
    };
    let plain = line("le mur est isole pour les locaux et les salles");
    let right = line("le mur est isolé pour les locaux et les salles");
    let french = OcrWish::Words(ReadIn::One(Language::Fr));
    let mut habit = None;
    let (read, asked) = read_in("deu+fra+ita+eng", &mut habit, vec![Ok(plain), Ok(right)]);
    let has =
        |read: &Recognised, word: &str| read.content.glyphs.iter().any(|g| g.text == word.to_owned().into());
    assert!(has(&read.unwrap(), "isolé"));
    assert_eq!(asked, [GERMAN, french]);
    // The next page of the document is read in French at once; figures alone say nothing else.
    let (_, asked) = read_in("deu+fra+ita+eng", &mut habit, vec![Ok(GOOD)]);
    assert_eq!(asked, [french]);
    // Where nothing tells, all languages; a worse reading is not taken for it.
    let (read, asked) = read_in("deu+fra+ita+eng", &mut None, vec![Ok(GOOD), Ok(BAD)]);
    assert_eq!(asked, [GERMAN, OcrWish::Words(ReadIn::All)]);
    assert!(has(&read.unwrap(), "Wand"));
}

#[test]
fn a_page_that_is_read_well_is_asked_for_once() {
    let (read, asked) = read(vec![Ok(GOOD)]);
    let read = read.unwrap();
    assert_eq!(asked, [GERMAN]);
    assert!(read.upright.is_as_shown() && read.confidence == 95.0);
    let mut words = String::new();
    read.content.glyphs.iter().for_each(|g| g.text.push_to(&mut words));
    assert_eq!(words, " Wand Haus B12");
}

#[test]
fn a_page_that_is_read_badly_is_turned_as_the_program_says() {
    let (read, asked) = read(vec![Ok(BAD), Ok("Rotate: 180\n"), Ok(GOOD)]);
    assert_eq!(read.unwrap().upright.quarters, 2);
    assert_eq!(asked, [GERMAN, OcrWish::Orientation, GERMAN]);
}

#[test]
fn the_better_reading_is_kept() {
    let (read, _) = read(vec![Ok(BAD), Ok("Rotate: 90\n"), Ok("")]);
    let read = read.unwrap();
    assert_eq!((read.upright.quarters, read.confidence), (0, 30.0));
}

#[test]
fn where_the_program_sees_no_direction_a_page_of_noise_is_left_alone() {
    let failed = OcrProblem::Failed { how: "exit code 1".into() };
    let (read, asked) = read(vec![Ok(BAD), Err(failed)]);
    assert_eq!((read.unwrap().confidence, asked.len()), (30.0, 2));
    let (late, _) = self::read(vec![Err(OcrProblem::TimedOut { seconds: 1 })]);
    assert!(matches!(late, Err(OcrProblem::TimedOut { .. })));
}

#[test]
fn words_stand_on_one_baseline_in_one_size() {
    // "gerne" has no ascender and goes below the line, "Wand" is the other way round: 40 pixels to the em.
    let word = |text: &str, x: f32, top: f32, foot: f32| ReadWord {
        text: text.into(),
        rect: [x, top, x + 80.0, foot],
        confidence: 90.0,
        line: (1, 1, 1),
    };
    let words =
        [word("Wand", 0.0, 71.2, 100.0), word("gerne", 100.0, 78.8, 108.4), word("Haus", 200.0, 71.0, 100.3)];
    let glyphs: Vec<_> = glyphs(&words, 1.0).into_iter().filter(|g| !g.text.is_space()).collect();
    assert!(glyphs.iter().all(|g| (g.y - 100.0).abs() < 0.5), "{glyphs:?}");
    assert!(glyphs.iter().all(|g| g.size == glyphs[0].size && (g.size - 40.0).abs() < 1.0), "{glyphs:?}");
}

#[test]
fn bits_of_letters_that_nobody_believes_are_no_text() {
    // Of a photograph of a wall, and of a very bad copy of a letter.
    const WALL: &str = "5\t1\t1\t1\t1\t1\t100\t100\t40\t32\t37\tae\n5\t1\t1\t1\t1\t2\t210\t100\t40\t32\t31\tGy\n\
                        5\t1\t1\t1\t1\t3\t320\t100\t60\t32\t40\tRSLx\n5\t1\t1\t1\t1\t3\t420\t100\t60\t32\t44\twit\n";
    const COPY: &str =
        "5\t1\t1\t1\t1\t1\t100\t100\t90\t32\t37\tAussenwend\n5\t1\t1\t1\t1\t2\t210\t100\t40\t32\t31\tin\n";
    let words = |answer| read(vec![Ok(answer), Ok(""), Ok("")]).0.unwrap().content.glyphs.len() / 2;
    assert_eq!((words(WALL), words(COPY)), (0, 2));
}

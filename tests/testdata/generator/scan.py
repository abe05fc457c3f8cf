"""A page that is only an image of text, slightly turned and speckled, as a scanner leaves it."""

from __future__ import annotations

import io
import json
import pathlib
import random
import time

import typst
from PIL import Image, ImageFilter

from facts.export import export

HERE = pathlib.Path(__file__).parent / "typst"
TARGET = "dokumente/RM-2417-AN-37_Aktennotiz_Scan.pdf"


def page_image(ppi: int = 130) -> Image.Image:
    """The memo as a grey picture; the noise comes from a fixed seed."""
    png = typst.compile(str(HERE / "scan.typ"), root=str(HERE), format="png", ppi=ppi, sys_inputs={"facts": json.dumps(export())})
    image = Image.open(io.BytesIO(png)).convert("L").rotate(0.7, resample=Image.Resampling.BICUBIC, fillcolor=250)
    noise = random.Random(37)
    pixels = image.load()
    for _ in range(image.width * image.height // 900):
        x, y = noise.randrange(image.width), noise.randrange(image.height)
        pixels[x, y] = max(0, pixels[x, y] - noise.randrange(40, 120))
    return image.filter(ImageFilter.GaussianBlur(0.5))


def write(folder: pathlib.Path) -> None:
    stamp = time.strptime("2026-09-24 16:55:00", "%Y-%m-%d %H:%M:%S")
    path = folder / TARGET
    path.parent.mkdir(parents=True, exist_ok=True)
    page_image().save(path, "PDF", resolution=130, quality=60, title="Scan", creationDate=stamp, modDate=stamp)

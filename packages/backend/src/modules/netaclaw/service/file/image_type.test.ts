import { expect, it } from 'vitest';
import { imageTypeOf } from './image_type.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

it.each<[string, Buffer, string | null]>([
  ['a PNG', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'image/png'],
  ['a JPEG', bytes('\xff\xd8\xff\xe0\0\x10JFIF'), 'image/jpeg'],
  ['a GIF of 1987', bytes('GIF87a\x01\0'), 'image/gif'],
  ['a GIF of 1989', bytes('GIF89a\x01\0'), 'image/gif'],
  ['a WebP', bytes('RIFF\n\0\r\x1aWEBPVP8 '), 'image/webp'],
  ['a WAV', bytes('RIFF\n\0\r\x1aWAVEfmt '), null],
  ['a BMP', bytes('BM\x8a\0\0\0'), null],
  ['words', bytes('this is no png at all'), null],
  ['a signature that is cut', bytes('\x89PN'), null],
  ['nothing', bytes(''), null],
])('tells %s by its bytes', (_what, image, type) => {
  expect(imageTypeOf(image)).toBe(type);
});

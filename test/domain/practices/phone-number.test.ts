import { describe, expect, test } from 'vitest';
import { isPhoneNumber, phoneUri, plainPhoneNumber } from '../../../functions/domain/practices/practice.ts';

describe('a phone number', () => {
  test.each([
    ['+1 555 010 0100', 'tel:+15550100100'],
    ['(555) 010-0142', 'tel:5550100142'],
    ['555.010.0142', 'tel:5550100142'],
    ['555/010-0142', 'tel:5550100142'],
    ['1 (555) 010 - 0142', 'tel:15550100142'],
    ['(+1) 555 010 0100', 'tel:+15550100100'],
    ['+44 (0)20 7946 0958', 'tel:+442079460958'],
    ['(020 7946) 0958', 'tel:02079460958'],
    ['555-0100', 'tel:5550100'],
    ['+123456789012345', 'tel:+123456789012345'],
  ])('%s dials %s', (text, uri) => {
    expect(plainPhoneNumber(text)).toBe(text);
    expect(isPhoneNumber(text)).toBe(true);
    expect(phoneUri(text)).toBe(uri);
  });

  test.each([
    'ext. 12',
    'ext 12',
    'ext.12',
    'EXT: 12',
    'extn. 12',
    'extension 12',
    'extensión 12',
    'extensio\u0301n 12',
    'x12',
    'X 12',
    'x. 12',
    '#12',
    '# 12',
    ', ext. 12',
    '; ext 12',
    ';ext=12',
    '- x12',
    '(ext. 12)',
    '(x12)',
  ])('can end in the extension %j', (extension) => {
    for (const space of ['', ' ']) {
      const text = plainPhoneNumber(`(555) 010-0100${space}${extension}`);
      expect(isPhoneNumber(text)).toBe(true);
      expect(phoneUri(text)).toBe('tel:5550100100;ext=12');
    }
  });

  test.each([
    ['\u202a+1 555 010 0100\u202c', '+1 555 010 0100'],
    ['\u200e(555)\u200f 010\u2066-\u20690100\ufeff', '(555) 010-0100'],
    ['555\u00ad010\u200b0100', '5550100100'],
    ['+1\u00a0555\u202f010\u30000100', '+1 555 010 0100'],
    ['555\u2011010\u22120100', '555-010-0100'],
    ['555\u2013010\u20140100', '555-010-0100'],
    ['（５５５） ０１０－０１００', '(555) 010-0100'],
    ['＋1 555 010 0100 ＃12', '+1 555 010 0100 #12'],
    ['٥٥٥ ٠١٠ ٠١٠٠', '555 010 0100'],
    [' \t555  010\n0100\r\n', '555 010 0100'],
  ])('pasted as %j becomes %s', (pasted, plain) => {
    expect(plainPhoneNumber(pasted)).toBe(plain);
    expect(isPhoneNumber(plain)).toBe(true);
  });

  test.each([
    ['no digits', ['', ' ', '(((((((', '+', '.......', '()()()()', 'call us', 'ext. 1234567']],
    ['too few digits', ['555', '555010', '555 010 ext. 12', '+1 (5) 55-01']],
    ['too many digits', ['1234567890123456', '555-010-0142 / 555-010-0143', '555 010 0142 555 010 0143']],
    ['unbalanced parentheses', ['(555 010 0100', '555) 010 0100', '((555) 010 0100', '5550100(', '(555))0100100']],
    ['an empty pair of parentheses', ['() 555 010 0100', '555 010 0100 ( )']],
    ['a plus elsewhere', ['555+0100100', '++1 555 010 0100', '5550100+', '+0 555 010 0100', '(+12345) 0100100']],
    ['piled separators', ['555--010-0100', '555..010.0100', '-5550100', '5550100-', '555 010 / - 0100']],
    ['words', ['555-010-0100 or 555-010-0101', '1-800-FLOWERS', 'Tel. 555 010 0100', '555 010 0100 (office)']],
    [
      'a broken extension',
      ['555 010 0100 ext', '555 010 0100 ext. 12345678', '555 010 0100 x12 x13', '555 010 0100 (x12'],
    ],
    ['another character', ['555_010_0100', '555*0100100', '555,010,0100', '555\u0000010 0100', '5550100\u0007']],
    ['a long text', [`${'5 '.repeat(20)}5550100`, '(5)'.repeat(14), ' '.repeat(99_999) + '!', '1 -'.repeat(99_999)]],
  ])('cannot have %s', (_what, texts) => {
    expect(texts.filter((text) => isPhoneNumber(plainPhoneNumber(text)))).toEqual([]);
  });
});

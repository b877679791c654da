import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../lib/local/event-pattern.ts';

const matches = (pattern: unknown, event: unknown) => compilePattern(pattern, 'Rule')(event);

describe('a pattern', () => {
  it.each([
    ['an exact value', { a: ['x'] }, { a: 'x' }, { a: 'y' }],
    ['any of several values', { a: ['x', 1, null] }, { a: null }, { a: 2 }],
    ['a value inside an array of the event', { a: ['x'] }, { a: ['w', 'x'] }, { a: ['w'] }],
    ['a nested field', { a: { b: ['x'] } }, { a: { b: 'x' } }, { a: 'x' }],
    ['every field', { a: ['x'], b: ['y'] }, { a: 'x', b: 'y' }, { a: 'x' }],
    ['a prefix', { a: [{ prefix: 'session.' }] }, { a: 'session.paid' }, { a: 'sessions' }],
    ['a suffix', { a: [{ suffix: '.paid' }] }, { a: 'session.paid' }, { a: 'paid' }],
    ['a value whatever its case', { a: [{ 'equals-ignore-case': 'PAID' }] }, { a: 'paid' }, { a: 'pai' }],
    ['anything but a value', { a: [{ 'anything-but': 'x' }] }, { a: 'y' }, { a: 'x' }],
    ['any value but several, if there is one', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'z' }, {}],
    ['anything but a prefix', { a: [{ 'anything-but': { prefix: 'x' } }] }, { a: 'yx' }, { a: 'xy' }],
    ['a field that exists', { a: [{ exists: true }] }, { a: null }, { b: 1 }],
    ['a field that does not', { a: [{ exists: false }] }, { b: 1 }, { a: 1 }],
    ['a range of numbers', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 5 }, { a: 0 }],
    ['one of several patterns', { $or: [{ a: ['x'] }, { b: ['y'] }] }, { b: 'y' }, { a: 'y' }],
  ])('matches %s and nothing else', (_, pattern, match, other) => {
    expect(matches(pattern, match)).toBe(true);
    expect(matches(pattern, other)).toBe(false);
  });

  it.each([
    ['an operator that is not known', { a: [{ cidr: '10.0.0.0/8' }] }],
    ['an operator with a wrong operand', { a: [{ prefix: { 'equals-ignore-case': 'x' } }] }],
    ['an unknown comparison', { a: [{ numeric: ['!', 3] }] }],
    ['a bare value', { a: 'x' }],
  ])('is refused with %s', (_, pattern) => {
    expect(() => compilePattern(pattern, 'Rule')).toThrow(/^Rule: /);
  });
});

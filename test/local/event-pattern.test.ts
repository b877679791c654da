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
    ['any value but several, if there is one', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'z' }, {}],
    ['a field that exists', { a: [{ exists: true }] }, { a: null }, { b: 1 }],
    ['a field that does not', { a: [{ exists: false }] }, { b: 1 }, { a: 1 }],
  ])('matches %s and nothing else', (_, pattern, match, other) => {
    expect(matches(pattern, match)).toBe(true);
    expect(matches(pattern, other)).toBe(false);
  });

  it.each([
    ['an operator that is not known', { a: [{ cidr: '10.0.0.0/8' }] }],
    ['an operator with a wrong operand', { a: [{ prefix: { 'equals-ignore-case': 'x' } }] }],
    ['a bare value', { a: 'x' }],
  ])('is refused with %s', (_, pattern) => {
    expect(() => compilePattern(pattern, 'Rule')).toThrow(/^Rule: /);
  });
});

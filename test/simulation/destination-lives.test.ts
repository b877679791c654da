import { describe } from 'vitest';
import { testLives } from './lives.ts';

describe('destination charges among faults', () => testLives('destination'));

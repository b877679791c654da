import { describe } from 'vitest';
import { testLives } from './lives.ts';

describe('direct charges among faults', () => testLives('direct'));

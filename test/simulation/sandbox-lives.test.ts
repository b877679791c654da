import { describe } from 'vitest';
import { testLives } from './lives.ts';

describe('payments of the sandbox among faults', () => testLives('sandbox'));

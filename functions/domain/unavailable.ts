import { Fault } from './fault.ts';

/** A service that we need throttles us or is silent: the work may be done or not. Repeating it is safe. */
export class Unavailable extends Fault {}

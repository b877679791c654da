import { Fault } from './fault.ts';

/** A service we depend on throttles us or does not answer. The work may or may not be done; repeating it is safe. */
export class Unavailable extends Fault {}

import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { second } from '../domain/time.ts';
import { isAllowedAddress, isThisMachine } from '../domain/webhooks/webhook-target.ts';
import { AttemptFailure, lookupFailure } from './attempt-error.ts';

/** Not the system's lookup, which blocks a worker thread while a name server does not answer. */
export const nameServers = new Resolver({ timeout: second, tries: 2 });

/** Resolves once: a second lookup could return other addresses (DNS rebinding). */
export function allowedLookup(allowLoopback: boolean, resolver: Resolver): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname, resolver).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new AttemptFailure('host_not_found'), '', 4);
        else if (!addresses.every((address) => isAllowedAddress(address, allowLoopback)))
          callback(new AttemptFailure('blocked_address'), '', 4);
        else if (options.all)
          callback(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          );
        else callback(null, first, 4);
      },
      (error: Error) => callback(lookupFailure(error), '', 4),
    );
  };
}

function addressesOf(hostname: string, resolver: Resolver): Promise<string[]> {
  return isThisMachine(hostname) ? Promise.resolve(['127.0.0.1']) : resolver.resolve4(hostname);
}

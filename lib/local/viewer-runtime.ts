import { createContext, Script, type Context } from 'node:vm';

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html */
const methods = {
  Object: `assign create defineProperties defineProperty entries freeze getOwnPropertyDescriptor
    getOwnPropertyDescriptors getOwnPropertyNames getPrototypeOf isExtensible isFrozen isSealed keys preventExtensions
    seal values`,
  'Array.prototype': `concat copyWithin every fill filter find findIndex forEach includes indexOf join lastIndexOf map pop
    push reduce reduceRight reverse shift slice some sort splice unshift`,
  'String.prototype': `charAt codePointAt concat endsWith includes indexOf lastIndexOf match padEnd padStart repeat replace
    replaceAll search slice split startsWith substr substring toLowerCase toUpperCase trim trimEnd trimStart`,
};
const everywhere = ['constructor', 'length', 'name', 'prototype', 'toString', 'valueOf'];
const missingGlobals = [
  'Atomics',
  'BigInt',
  'Intl',
  'Iterator',
  'Map',
  'Proxy',
  'Reflect',
  'Set',
  'WeakMap',
  'WeakSet',
];

const removal = new Script(`{
  const remove = (object, kept) =>
    Object.getOwnPropertyNames(object).filter((name) => !kept.includes(name)).forEach((name) => delete object[name]);
  ${missingGlobals.map((name) => `delete globalThis.${name};`).join(' ')}
  ${Object.entries(methods)
    .map(([object, names]) => `remove(${object}, ${JSON.stringify([...everywhere, ...names.split(/\s+/)])});`)
    .join('\n  ')}
}`);

export function viewerRuntime(): Context {
  const sandbox = createContext({ console: { log: () => {} } });
  removal.runInContext(sandbox);
  return sandbox;
}

import { registerHooks } from 'node:module';

// TypeScript 7 has no compiler API. This package has TypeScript 6's.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? '@ts-morph/common/dist/typescript.js' : specifier, context),
});

import { registerHooks } from 'node:module';

// TypeScript 7 has no API for programs; this package brings that of TypeScript 6.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? '@ts-morph/common/dist/typescript.js' : specifier, context),
});

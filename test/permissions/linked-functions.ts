import { ts } from '@ts-morph/common';
import { build } from 'esbuild';
import type { Mode } from '../../functions/domain/mode.ts';
import { functionFiles, root } from '../../lib/build.ts';

export interface LinkedFunctions {
  readonly checker: ts.TypeChecker;
  readonly file: ts.SourceFile;
  /** By file, as in `triggers/sweep`. */
  readonly handlers: ReadonlyMap<string, ts.Symbol>;
  /** The functions that were asked for, by name. */
  readonly named: ReadonlyMap<string, ts.Symbol>;
}

/** All functions of a mode in one module, in which each name has one meaning. */
export async function linkFunctions(mode: Mode, names: Readonly<Record<string, string>>): Promise<LinkedFunctions> {
  const files = functionFiles(mode);
  const exported = [
    ...files.map((file, index) => `export { handler as handler_${index} } from './${file}';`),
    ...Object.entries(names).map(([name, path]) => `export { ${name} as named_${name} } from './${path}';`),
  ];
  const { outputFiles } = await build({
    stdin: { contents: exported.join('\n'), resolveDir: root },
    bundle: true,
    write: false,
    // Drops the branches of the other mode.
    minifySyntax: true,
    define: { builtForMode: JSON.stringify(mode) },
    packages: 'external',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    logLevel: 'silent',
  });
  const { checker, file } = parse(outputFiles[0]?.text ?? '');
  const exports = new Map<string, ts.Symbol>();
  for (const symbol of checker.getExportsOfModule(required(checker.getSymbolAtLocation(file))))
    exports.set(symbol.name, checker.getAliasedSymbol(symbol));
  return {
    checker,
    file,
    handlers: new Map(
      files.map((path, index) => [
        path.slice('functions/'.length, -'.ts'.length),
        required(exports.get(`handler_${index}`)),
      ]),
    ),
    named: new Map(Object.keys(names).map((name) => [name, required(exports.get(`named_${name}`))])),
  };
}

function parse(text: string): { checker: ts.TypeChecker; file: ts.SourceFile } {
  const options = { allowJs: true, noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ESNext };
  const file = ts.createSourceFile('functions.js', text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const host: ts.CompilerHost = {
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
    getDefaultLibFileName: () => '',
    getCurrentDirectory: () => '',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => name === file.fileName,
    readFile: () => undefined,
    writeFile: () => {},
  };
  return { checker: ts.createProgram([file.fileName], options, host).getTypeChecker(), file };
}

export function required<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error('the linked functions have no such name');
  return found;
}

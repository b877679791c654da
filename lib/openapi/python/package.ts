import { readContract, type Schema } from './document.ts';
import { modelWriter } from './models.ts';
import { resourceClasses } from './operations.ts';
import { lines } from './words.ts';

const note = '# Generated from the OpenAPI document by `npm run client:python`: do not edit.';
const future = 'from __future__ import annotations';

/** The generated files of the Python package, by name. */
export function pythonFiles(): Record<string, string> {
  const contract = readContract();
  const models = modelWriter(contract);
  const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
  // Written first, so that they name the types that they share with others.
  for (const name of ['Session', 'Event', 'WebhookEvent', 'RequestError']) models.typeOf(reference(name), '');
  const codes = Object.values(contract.schemas).flatMap(({ properties = {} }) =>
    typeof properties['code']?.const === 'string' ? [properties['code'].const] : [],
  );
  models.alias([...codes, 'route_not_found'].sort(), 'ProblemCode');
  const operations = resourceClasses(contract, models, 'sync');
  const awaited = resourceClasses(contract, models, 'async');
  const used = (code: string) =>
    models
      .names()
      .filter((name) => new RegExp(`\\b${name}\\b`).test(code))
      .sort();
  const imports = (code: string) => lines('from .models import (', ...used(code).map((name) => `    ${name},`), ')');
  const shared = lines('from collections.abc import {iterator}, Sequence', 'from datetime import datetime');
  return {
    'models.py': [
      lines(note, future),
      lines(
        'from collections.abc import Mapping, Sequence',
        'from typing import TYPE_CHECKING, Literal, TypedDict, Union',
      ),
      lines('if TYPE_CHECKING:', '    from typing_extensions import NotRequired  # built into type checkers'),
      `\n${models.written().join('\n\n\n')}\n`,
    ].join('\n\n'),
    'operations.py': [
      lines(note, future),
      shared.replace('{iterator}', 'Iterator'),
      imports(operations),
      'from .request import Request, Send, new_key, segment',
      `\n${operations}\n`,
    ].join('\n\n'),
    'async_operations.py': [
      lines(note, future),
      lines('from asyncio import to_thread', shared.replace('{iterator}', 'AsyncIterator')),
      imports(awaited),
      'from .request import Request, Send, new_key, segment',
      `\n${awaited}\n`,
    ].join('\n\n'),
  };
}

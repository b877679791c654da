import type { Contract, Schema } from './document.ts';
import { indented, isKeyword, lines, pascalCase, text } from './words.ts';

/** Writes each requested schema once, as a TypedDict or a type alias, before whatever refers to it. */
export function modelWriter({ schemas }: Pick<Contract, 'schemas'>) {
  const written = new Map<string, string>();
  /** The same object or list of values in two places gets one name. */
  const names = new Map<string, string>();

  function typeOf(schema: Schema, name: string): string {
    const values = schema.enum ?? schema['x-extensible-enum'];
    if (schema.$ref !== undefined) return referred(schema.$ref.replace('#/components/schemas/', ''));
    if (schema.const !== undefined) return `Literal[${text(schema.const)}]`;
    if (values) return values.length === 1 ? 'str' : alias(values, name);
    if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, name)).join(' | ');
    if (schema.items) return `Sequence[${typeOf(schema.items, name)}]`;
    if (typeof schema.additionalProperties === 'object')
      return `Mapping[str, ${typeOf(schema.additionalProperties, name)}]`;
    if (schema.properties) return nested(schema, name);
    return [schema.type ?? []].flat().map(plainType).join(' | ');
  }

  function referred(name: string): string {
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`The document has no schema ${name}.`);
    if (!written.has(name)) written.set(name, schema.oneOf ? union(schema.oneOf, name) : typedDict(schema, name));
    return name;
  }

  function once(content: unknown, name: string, write: () => string): string {
    const key = JSON.stringify(content);
    const known = names.get(key);
    if (known !== undefined) return known;
    if (written.has(name)) throw new Error(`Two models would be called ${name}.`);
    names.set(key, name);
    written.set(name, write());
    return name;
  }

  function nested(schema: Schema, name: string): string {
    const { description: _, ...content } = schema;
    return once(content, name, () => typedDict(schema, name));
  }

  function alias(values: readonly string[], name: string): string {
    return once(values, name, () => lines(`${name} = Literal[`, ...values.map((each) => `    ${text(each)},`), ']'));
  }

  function union(members: readonly Schema[], name: string): string {
    return lines(`${name} = Union[`, ...members.map((each) => `    ${typeOf(each, name)},`), ']');
  }

  function typedDict({ properties = {}, required = [], description }: Schema, name: string): string {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = typeOf(schema, `${name}${pascalCase(field)}`);
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, about: schema.description };
    });
    // A class cannot have a field called `return`.
    if (fields.some(({ field }) => isKeyword(field))) {
      const pairs = fields.map(({ field, type, about }) =>
        lines(...(about === undefined ? [] : [`    # ${about}`]), `    ${text(field)}: ${text(type, "'")},`),
      );
      return lines(`${name} = TypedDict(`, `    ${text(name)},`, '    {', ...pairs.map(indented), '    },', ')');
    }
    const body = fields.map(({ field, type, about }) =>
      lines(`    ${field}: ${type}`, ...(about === undefined ? [] : [`    ${text(about, '"""')}`])),
    );
    const about =
      description === undefined ? [] : [`    ${text(description, '"""')}`, ...(body.length > 0 ? [''] : [])];
    return lines(`class ${name}(TypedDict):`, ...about, ...(body.length + about.length === 0 ? ['    pass'] : body));
  }

  return { typeOf, alias, written: () => [...written.values()], names: () => [...written.keys()] };
}

export type ModelWriter = ReturnType<typeof modelWriter>;

function plainType(type: string): string {
  const known = { string: 'str', integer: 'int', boolean: 'bool', null: 'None', object: 'Mapping[str, object]' }[type];
  if (known === undefined) throw new Error(`No Python type is known for ${type}.`);
  return known;
}

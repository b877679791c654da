import { describe, expect, it } from 'vitest';
import { allOf, attribute, expression, oneOf, render, type Expression } from '../../functions/store/expressions.ts';

describe('an expression', () => {
  it('gives names aliases and values placeholders', () => {
    expect(render({ condition: expression`status = ${'pending'} AND attempts < ${5}` })).toEqual({
      ConditionExpression: '#status = :value0 AND #attempts < :value1',
      ExpressionAttributeNames: { '#status': 'status', '#attempts': 'attempts' },
      ExpressionAttributeValues: { ':value0': { S: 'pending' }, ':value1': { N: '5' } },
    });
  });

  it('gives each part of a path its alias', () => {
    expect(
      render({ condition: expression`offers.${attribute('es.id')} = ${'x'} OR taken.items[2].dueAt <> ${'y'}` }),
    ).toMatchObject({
      ConditionExpression: '#offers.#es.#id = :value0 OR #taken.#items[2].#dueAt <> :value1',
      ExpressionAttributeNames: { '#offers': 'offers', '#es': 'es', '#id': 'id', '#taken': 'taken' },
    });
  });

  it.each([
    'attribute_exists(#a) AND attribute_not_exists(#b)',
    'NOT begins_with(#a, :value0)',
    'size (#a) < :value0',
    'contains(#a, :value0) OR attribute_type(#a, :value1)',
    '#a BETWEEN :value0 AND :value1',
    'if_not_exists(#a, :value0) + :value1',
    '#a IN (:value0)',
  ])('leaves keywords and functions alone: %s', (written) => {
    const texts = written.replaceAll('#', '').split(/:value\d/);
    const values = texts.slice(1).map((_, index) => index);
    expect(render({ condition: expression(texts, ...values) }).ConditionExpression).toBe(written);
  });

  it('tells an attribute from a function of the same name', () => {
    expect(render({ condition: expression`size > ${1} AND size(contains) > ${2}` }).ConditionExpression).toBe(
      '#size > :value0 AND size(#contains) > :value1',
    );
  });

  it('holds lists and other expressions', () => {
    const either = expression`a = ${1} OR b = ${2}`;
    expect(render({ condition: expression`(${either}) AND status IN ${oneOf(['x', 'y'])}` })).toMatchObject({
      ConditionExpression: '(#a = :value0 OR #b = :value1) AND #status IN (:value2, :value3)',
      ExpressionAttributeValues: {
        ':value0': { N: '1' },
        ':value1': { N: '2' },
        ':value2': { S: 'x' },
        ':value3': { S: 'y' },
      },
    });
  });

  it('shares names and values with the others of its request', () => {
    expect(render({ update: expression`SET a = ${1}`, condition: expression`a = ${2}` })).toEqual({
      UpdateExpression: 'SET #a = :value0',
      ConditionExpression: '#a = :value1',
      ExpressionAttributeNames: { '#a': 'a' },
      ExpressionAttributeValues: { ':value0': { N: '1' }, ':value1': { N: '2' } },
    });
  });

  it('leaves out what it does not need, as DynamoDB rejects empty maps', () => {
    expect(render({ condition: expression`attribute_exists(a)` }).ExpressionAttributeValues).toBeUndefined();
    expect(Object.values(render({})).filter((part) => part !== undefined)).toEqual([]);
  });
});

describe('several conditions', () => {
  const written = (...conditions: (Expression | undefined)[]) =>
    render({ condition: allOf(...conditions) }).ConditionExpression;

  it('must all hold', () => {
    expect(written(expression`a = ${1} OR b = ${2}`, undefined, expression`c = ${3}`)).toBe(
      '(#a = :value0 OR #b = :value1) AND (#c = :value2)',
    );
  });

  it('are one condition, or none, if the others are undefined', () => {
    expect(written(undefined, allOf(expression`a = ${1}`))).toBe('#a = :value0');
    expect(written(undefined)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { IsString, getMetadataStorage } from 'class-validator';
import { CallBody, gatewayBodyPipe } from './body-rules.js';
import { BodyPipe } from './body.pipe.js';
import { CallFailed } from './calls.js';
import { Fault } from './faults.js';
import { CallFlag, CallText, OptionalText } from './form-fields.decorators.js';

class Form {
  @OptionalText(10)
  name?: string;
}

@CallBody()
class Call {
  @CallText()
  code = '';

  @CallFlag()
  replace = false;
}

@CallBody('optional')
class OptionalCall extends Call {}

const pipe = gatewayBodyPipe();
const nestLists = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
const hostile = JSON.parse('{"code":"1","__proto__":{"isAdmin":true},"constructor":1,"toString":2}') as object;

describe('BodyPipe', () => {
  it('ignores members that the class does not declare', async () => {
    expect(await pipe.read(Form, { name: 'x', other: 1 })).toEqual({ name: 'x' });
    const call = await pipe.read(Call, hostile);
    expect(call).toBeInstanceOf(Call);
    expect(Object.entries(call)).toEqual([
      ['code', '1'],
      ['replace', false],
    ]);
    expect((call as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  it('[ERR-3] refuses a call with a wrong type or a NUL, and a call without its body unless the body is optional', async () => {
    for (const value of [
      { code: 5 },
      { code: null },
      { code: 'a\0b' },
      { replace: 'yes' },
      { code: nestLists(30_000) },
      [],
      'x',
      1,
    ]) {
      await expect(pipe.read(Call, value)).rejects.toEqual(new CallFailed('could not parse request'));
    }
    await expect(pipe.read(Call, undefined)).rejects.toBeInstanceOf(CallFailed);
    expect(await pipe.read(OptionalCall, undefined)).toEqual({ code: '', replace: false });
  });

  it('names the fields of a form that are wrong, for the log', async () => {
    const reading = pipe.read(Form, { name: ['a', 'b'] });
    await expect(reading).rejects.toBeInstanceOf(Fault);
    await expect(reading).rejects.toThrow('Invalid fields: name');
    expect(await pipe.read(Form, undefined)).toEqual({});
  });

  it('reports a member that is unknown, missing or wrong, and a list, if the rules require it', async () => {
    class StrictBody {
      @IsString({ message: '$property must be a string.' })
      name: string;
    }
    const strictPipe = new BodyPipe(() => ({
      notAnObject: () => new Error('not an object'),
      unknownMember: (name, knownNames) => new Error(`unknown ${name} of ${knownNames.join()}`),
      invalidMembers: ([{ name, isMissing, message }]) => new Error(isMissing ? `missing ${name}` : message),
    }));
    await expect(strictPipe.read(StrictBody, hostile)).rejects.toThrow('unknown code of name');
    await expect(strictPipe.read(StrictBody, JSON.parse('{"__proto__":1}'))).rejects.toThrow('unknown __proto__ of name');
    await expect(strictPipe.read(StrictBody, {})).rejects.toThrow('missing name');
    await expect(strictPipe.read(StrictBody, { name: 1 })).rejects.toThrow('name must be a string.');
    await expect(strictPipe.read(StrictBody, [])).rejects.toThrow('not an object');
  });

  it('searches for the checks of each class once', async () => {
    class Parent {
      @IsString()
      name = '';
    }
    class Child extends Parent {
      @CallFlag()
      flag = false;
    }
    await pipe.read(Parent, { name: 'x' });
    await pipe.read(Child, { name: 'x' });
    const { validationMetadatas } = getMetadataStorage() as unknown as { validationMetadatas: Map<unknown, unknown> };
    for (const type of [Parent, Child]) validationMetadatas.delete(type);
    await expect(pipe.read(Parent, { name: 1 })).rejects.toThrow('Invalid fields: name');
    await expect(pipe.read(Child, { name: 1, flag: 1 })).rejects.toThrow('Invalid fields: flag, name');
    expect(await pipe.read(Parent, { name: 'y', flag: 1 })).toEqual({ name: 'y' });
  });

  it('does not change values without a class', () => {
    expect(pipe.transform('id', { type: 'param', metatype: String })).toBe('id');
    expect(pipe.transform(hostile, { type: 'query', metatype: Object })).toBe(hostile);
  });
});

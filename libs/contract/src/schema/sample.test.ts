import { IsIn } from 'class-validator';
import { allRoutes } from '../routes';
import { Text } from '../rules/constraints';
import { Example, Optional, ReadOnly, Required } from '../rules/decorators';
import { validate } from '../rules/validate';
import { sampleOf } from './sample';

const bodies = allRoutes.flatMap(({ id, body }) => (body === undefined ? [] : [[id, body] as const]));

it.each(bodies)('the sample body of %s is accepted', (_, body) => {
  const sample = sampleOf(body);
  expect(JSON.parse(JSON.stringify(validate(body, sample).value))).toEqual(sample);
});

class Sampled {
  @Required() @IsIn(['one', 'two']) choice!: string;
  @Required() @Text({ pattern: /^z\d{7}$/ }) @Example('z1234567') code!: string;
  @Required() @ReadOnly() @Text() read_at!: string;
  @Optional() @Text() left_out?: string;
}

it('a sample contains required fields and those with an example, and for a read also read-only fields', () => {
  expect(sampleOf(Sampled)).toEqual({ choice: 'one', code: 'z1234567' });
  expect(sampleOf(Sampled, true)).toEqual({ choice: 'one', code: 'z1234567', read_at: '2026-01-31T12:00:00.000Z' });
});

class Unguessable {
  @Required() @Text({ pattern: /^z\d{7}$/ }) code!: string;
}

it('throws an error that names the field that needs an example', () => {
  expect(() => sampleOf(Unguessable)).toThrow('Unguessable.code');
});

// What of an object a report tells, and that its archive is one that tar reads.
import { execFileSync } from 'node:child_process';
import { tarOf } from '../../../../cli/report/tar.ts';
import { LEFT_OUT, metadataOf, unquoted, veiled } from '../../../../cli/report/veil.ts';

test('of a spec names, numbers and shape are told, and no text that is not listed', () => {
  const container = {
    name: 'app',
    image: 'app:v1',
    env: [{ name: 'A', value: 's' }],
    args: ['s'],
    ports: [{ containerPort: 80 }],
  };
  expect(
    veiled({ site: 'a', paused: true, containers: [container], unheardOf: 's', secret: 's', none: null }),
  ).toEqual({
    site: 'a',
    paused: true,
    containers: [
      {
        name: 'app',
        image: 'app:v1',
        env: [{ name: 'A', value: LEFT_OUT }],
        args: [LEFT_OUT],
        ports: [{ containerPort: 80 }],
      },
    ],
    unheardOf: LEFT_OUT,
    secret: LEFT_OUT,
    none: null,
  });
});

test('of annotations only ours are told, and who wrote fields is not', () => {
  const annotations = {
    'rcs.dana.io/paused': 'true',
    'kubectl.kubernetes.io/last-applied-configuration': 's',
    'evil.example/rcs.dana.io': 's',
    'notrcs.dana.io/x': 's',
  };
  const metadata = { name: 'a', annotations, managedFields: [{ manager: 'kubectl' }] };
  expect(metadataOf({ metadata })).toEqual({
    name: 'a',
    annotations: {
      'rcs.dana.io/paused': 'true',
      'kubectl.kubernetes.io/last-applied-configuration': LEFT_OUT,
      'evil.example/rcs.dana.io': LEFT_OUT,
      'notrcs.dana.io/x': LEFT_OUT,
    },
  });
});

test.each([
  ['a: Invalid value: "s\\"s": must be b', `a: Invalid value: ${LEFT_OUT}: must be b`],
  ['a: Invalid value: 7s7: must be b', `a: Invalid value: ${LEFT_OUT}: must be b`],
  [
    'a: Unsupported value: "s": supported values: "x"',
    `a: Unsupported value: ${LEFT_OUT}: supported values: "x"`,
  ],
  ['the Capp is Ready', 'the Capp is Ready'],
])('what an API server quotes is left out: %s', (message, told) => {
  expect(unquoted({ conditions: [{ message }] })).toEqual({ conditions: [{ message: told }] });
});

test('tar reads the archive, with files of any size', () => {
  const files = [
    { name: 'r/empty', text: '' },
    { name: 'r/exact', text: 'x'.repeat(512) },
    { name: 'r/long', text: 'grüße\n'.repeat(1000) },
  ];
  const input = tarOf(files, Date.now());
  expect(execFileSync('tar', ['-tf', '-'], { input }).toString().trim().split('\n')).toEqual(
    files.map(({ name }) => name),
  );
  for (const { name, text } of files)
    expect(execFileSync('tar', ['-xOf', '-', name], { input }).toString()).toBe(text);
  expect(() => tarOf([{ name: 'x'.repeat(101), text: '' }], 0)).toThrow(RangeError);
});

// Each room imports only what its row in lint/rooms allows.
import { readdirSync } from 'node:fs';
import { violations } from '../../../lint/violations.ts';
import { OPEN, ROOMS } from '../../../lint/rooms/rooms.ts';

const rooms = Object.keys(ROOMS);

function at(room: string, text: string): Promise<string[]> {
  return violations([{ file: `${room}/probe.ts`, text }]);
}

describe('a source', () => {
  test.each(rooms)('of %s may not import a package that its room does not name', async (room) => {
    expect(await at(room, "import { left } from 'left-pad';")).toEqual([
      expect.stringContaining(`${room} may not import left-pad`),
    ]);
  });

  test.each(rooms)('of %s may not import a test', async (room) => {
    const up = room.replaceAll(/[^/]+/g, '..');
    expect(await at(room, `import { eventually } from '${up}/test/support/flow/flow.ts';`)).toHaveLength(1);
  });

  test.each(rooms.filter((room) => !room.startsWith('workers') && !room.startsWith('bench')))(
    'of %s may not import the main of a process',
    async (room) => {
      const up = room.replaceAll(/[^/]+/g, '..');
      expect(await at(room, `export * from '${up}/workers/hub/main.ts';`)).toHaveLength(1);
    },
  );

  test('of a folder without a row is refused', async () => {
    const [sentence, ...more] = await at('workflows/nowhere', 'export const answer = 42;');
    expect(sentence).toContain('the room workflows/nowhere has no row in lint/rooms');
    expect(more).toEqual([]);
  });
});

describe('decisions', () => {
  const pure = [
    'workflows/capp/next',
    'workflows/capp/after',
    'workflows/capp/after/moving',
    'workflows/capp/conditions',
    'workflows/capp/facts',
    'workflows/placement',
    'workflows/drain/decide',
  ];

  test.each(pure)('in %s import no package and no Node module, and only types of crds', async (room) => {
    const up = room.replaceAll(/[^/]+/g, '..');
    expect(await at(room, "import { sleep } from '@temporalio/workflow';")).toHaveLength(1);
    expect(await at(room, "import type { Duration } from '@temporalio/common';")).toHaveLength(1);
    expect(await at(room, "import { createHash } from 'node:crypto';")).toHaveLength(1);
    expect(await at(room, "import { pino } from 'pino';")).toHaveLength(1);
    expect(await at(room, `import { CAPP } from '${up}/crds/capp/capp.ts';`)).toHaveLength(1);
    expect(await at(room, `import type { Capp } from '${up}/crds/capp/capp.ts';`)).toEqual([]);
  });
});

describe('between the next step of a Capp and what changes its state', () => {
  test.each([
    ['workflows/capp/next', "import { withRing } from '../after/rings.ts';"],
    ['workflows/capp/next', "import { conditionsOf } from '../conditions/conditions.ts';"],
    ['workflows/capp/after', "import { nextStep } from '../next/next-step.ts';"],
    ['workflows/capp/after/moving', "import { withRing } from '../rings.ts';"],
    ['workflows/capp/conditions', "import { withRing } from '../after/rings.ts';"],
    ['workflows/capp/facts', "import { conditionsOf } from '../conditions/conditions.ts';"],
    ['workflows/capp/facts', "import { nextStep } from '../next/next-step.ts';"],
  ])('there is a wall: in %s, `%s` is refused', async (room, line) => {
    expect(await at(room, line)).toHaveLength(1);
  });
});

describe('an import is found', () => {
  test.each([
    ['as a statement', "import 'left-pad';"],
    ['of types', "import type { Left } from 'left-pad';"],
    ['as an export from elsewhere', "export { left } from 'left-pad';"],
    ['as an export of everything', "export * from 'left-pad';"],
    ['as a call', "export const left = async () => (await import('left-pad')).left;"],
    ['as a call with a computed name', "const name = 'left-pad'; export const left = () => import(name);"],
    ['as a call of require', "export const left = require('left-pad');"],
    ['within a type', "export type Left = import('left-pad').Left;"],
    ['as import = require', "import left = require('left-pad'); export { left };"],
  ])('%s', async (_way, text) => {
    expect(await at('kube', text)).toHaveLength(1);
  });
});

test('an import cycle is reported with its files, also for types', async () => {
  const found = await violations([
    { file: 'kube/a.ts', text: "import type { B } from './b.ts'; export type A = B;" },
    { file: 'kube/b.ts', text: "import type { A } from './a.ts'; export type B = A;" },
  ]);
  expect(found).toEqual([expect.stringContaining('kube/a.ts → kube/b.ts → kube/a.ts')]);
});

test('every row names a folder with sources', () => {
  expect(rooms.filter((room) => !readdirSync(room).some((file) => /\.tsx?$/.test(file)))).toEqual([]);
  expect(OPEN).toEqual(['test']);
});

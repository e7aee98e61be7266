// The webhook in a process of its own, with as little memory as the chart gives it: the largest questions at
// once do not end it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PATHS } from '../../../admission/router.ts';
import { CAPACITY } from '../../../workers/webhook/door/bodies.ts';
import { question, raw } from '../../support/builders/admission.ts';
import { post, said } from '../../support/servers/network/raw-tls.ts';

describe('a process with the heap that the chart gives it', () => {
  const { webhook } = parse(
    readFileSync(join(import.meta.dirname, '../../../deploy/helm/values.yaml'), 'utf8'),
  ) as {
    webhook: { heapMiB: number; resources: { limits: { memory: string } } };
  };
  let child: ChildProcess;
  let port: number;
  beforeAll(async () => {
    const flags = [
      `--max-old-space-size=${webhook.heapMiB}`,
      '--max-semi-space-size=8',
      '--optimize-for-size',
    ];
    child = spawn(
      'node',
      [...flags, join(import.meta.dirname, '../../support/servers/chart/admission-process.ts')],
      {
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    port = Number(line.toString());
  }, 200_000);
  afterAll(() => child?.kill());

  /** What becomes of three bytes of JSON in memory is some twenty times as much. */
  const worst = (bytes: number): string => {
    const empty = { ...raw({ site: 'atlantis' }), more: [] as unknown[] };
    return question(empty).replace('"more":[]', `"more":[${'{},'.repeat(Math.floor((bytes - 1024) / 3))}{}]`);
  };

  test('stands as many of the worst requests at once as anybody sends', async () => {
    const text = worst(CAPACITY.largest);
    const bytes = post(PATHS.validateCapp, { 'Content-Length': text.length }) + text;
    for (let turn = 0; turn < 3; turn += 1) {
      const heard = await Promise.all(Array.from({ length: 12 }, () => said(port, bytes)));
      const statuses = heard.map((answer) => answer.slice(9, 12));
      expect(statuses).toContain('200');
      expect(statuses.filter((status) => !['200', '408', '429', ''].includes(status))).toEqual([]);
    }
    expect(child.exitCode).toBeNull();
    const memory = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    expect(Number(memory) / 1024).toBeLessThan(Number.parseInt(webhook.resources.limits.memory, 10));
  }, 120_000);
});

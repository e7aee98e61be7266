// The bundle of an image is the same wherever it is made, and its stacks still lead to a line.
import { SourceMap, type SourceMapPayload } from 'node:module';
import { withoutPaths } from '../../../workers/hub/without-paths.ts';

const MAP = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';
const bundleMadeAt = (path: string): string => {
  const map = { version: 3, file: `${path}/x.js`, sources: [`${path}/a.ts`], names: [], mappings: 'AAAA' };
  return `one();\ntwo();\nthree();\n${MAP}${Buffer.from(JSON.stringify(map)).toString('base64')}`;
};

test('the path of the machine is not in it', () => {
  const bundle = withoutPaths(bundleMadeAt('/home/somebody'));
  expect(bundle).toBe(withoutPaths(bundleMadeAt('/build')));
  expect(bundle.startsWith(`one();\ntwo();\nthree();\n//# sourceMappingURL=data:`)).toBe(true);
});

test('each line leads to itself', () => {
  const [, map = ''] = withoutPaths(bundleMadeAt('/build')).split('base64,');
  const read = new SourceMap(JSON.parse(Buffer.from(map, 'base64').toString()) as SourceMapPayload);
  for (const line of [0, 1, 2])
    expect(read.findEntry(line, 2)).toMatchObject({
      originalSource: 'workflow-bundle.js',
      originalLine: line,
    });
});

test('a bundle without a map is no bundle of the version that we know', () => {
  expect(() => withoutPaths('one();')).toThrow(/has no source map/);
});

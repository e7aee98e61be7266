// How the test of the documentation finds what a reader pastes.
import { blocksOf, commandsOf } from '../../newcomer/blocks.ts';

const PAGE = `# A page

\`\`\`yaml
kind: Capp
\`\`\`

1. Do it:

   \`\`\`sh
   kubectl apply -f hello.yaml     # a file that is shown above
   # only a comment
   kubectl create -f - <<EOF
   kind: Drain
   EOF
   for one in a b; do
     echo $one
   done
   kubectl create rolebinding x \\
     --serviceaccount=a:b
   \`\`\`

\`\`\`
$ kubectl get bundle
NAME   READY
$ kubectl get capp
\`\`\`

\`\`\`yaml
kind: Bundle
\`\`\`

\`\`\`sh
kubectl capp rollout plan -f base.yaml
\`\`\`
`;

test('each command has its line and the file that the page shows above it', () => {
  expect(commandsOf(PAGE)).toEqual([
    {
      text: 'kubectl apply -f hello.yaml     # a file that is shown above',
      line: 10,
      files: { 'hello.yaml': 'kind: Capp\n' },
    },
    { text: 'kubectl create -f - <<EOF\nkind: Drain\nEOF', line: 12, files: {} },
    { text: 'for one in a b; do\n  echo $one\ndone', line: 15, files: {} },
    { text: 'kubectl create rolebinding x \\\n  --serviceaccount=a:b', line: 18, files: {} },
    { text: 'kubectl get bundle', line: 23, files: {} },
    { text: 'kubectl get capp', line: 25, files: {} },
    { text: 'kubectl capp rollout plan -f base.yaml', line: 33, files: { 'base.yaml': 'kind: Bundle\n' } },
  ]);
});

test('blocks have their language, and text without the blanks of a list', () => {
  expect(blocksOf(PAGE).map(({ language, line }) => [language, line])).toEqual([
    ['yaml', 4],
    ['sh', 10],
    ['', 23],
    ['yaml', 29],
    ['sh', 33],
  ]);
});

test('a here-document that does not end is an error', () => {
  expect(() => commandsOf('```sh\ncat <<EOF\nx\n```\n')).toThrow('A command does not end');
});

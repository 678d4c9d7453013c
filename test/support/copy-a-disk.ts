import { poolFiles } from '../../src/backends/file/pool-files.ts';

/** A process that copies an image, and works on until its standard input ends, whatever has become of the copy. */
const [source = '', target = ''] = process.argv.slice(2);
process.stdin.resume();
poolFiles
  .copyImage(source, target, () => undefined)
  .then(
    () => process.stdout.write('copied\n'),
    (error: unknown) => process.stdout.write(`${String(error)}\n`),
  );

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../../../common/replace-file.ts';
import { failureOf } from '../../../documents/failure.ts';
import { following, type Input, openInput } from '../../../documents/read.ts';
import { STDIN } from '../../../documents/walk.ts';
import { compressionOf, createWriter, writeAll } from '../../../duplicates/rows/compressed-writer.ts';
import { gunzipStream } from '../../../extract/archive/gzip.ts';
import { createExpansionMeter } from '../../../extract/limits.ts';
import { type Arguments, DONE, FAILED, isUsageError, usageError } from '../../command.ts';
import { assertWritable } from '../../files/output-files.ts';
import { assertExist, DOCUMENT_LABEL, documentHintsOf, jobsOf } from '../../options.ts';
import { type Session, withSession } from '../../session.ts';
import { isOutputLost, print } from '../../terminal/print.ts';
import { type EnrichContext, enrichCdxj } from './enrich-cdxj.ts';
import { openRecords } from './record-reader.ts';

/** The size in bytes of an index with so few lines that starting workers costs more than it saves. */
const MAX_HANDFUL = 1 << 12;

export async function runEnrich(args: Arguments): Promise<number> {
  const [input, ...others] = args.positionals;
  if (input === undefined || others.length > 0)
    throw usageError(`expected one index in CDXJ, got ${args.positionals.length}`);
  assertExist([input]);
  const warcs = args.value('warcs') ?? (input === STDIN ? '.' : dirname(input));
  const out = args.value('out');
  if (statSync(warcs, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usageError(`--warcs: ${warcs}: expected the folder of the WARC files`);
  if (out === STDIN) throw usageError('--out: expected the name of a file to write, got -');
  if (out !== undefined) assertWritable({ option: 'out', path: out });
  try {
    compressionOf(out ?? '');
  } catch (error) {
    throw usageError(`--out: ${failureOf(error).message}`);
  }
  const hints = await documentHintsOf(args, DOCUMENT_LABEL);
  const isHandful = input !== STDIN && statSync(input).size <= MAX_HANDFUL;
  const options = { hints, jobs: jobsOf(args), isHandful, json: false, quiet: args.flag('quiet') };
  return withSession(options, async (session) => {
    const records = openRecords(warcs, session.reading);
    try {
      await enrichIndex(out, { input, records, session });
    } catch (error) {
      if (isUsageError(error)) throw error;
      session.report.fail(input, `${out === undefined ? '' : `${out} is not written: `}${failureOf(error).message}`);
    } finally {
      records.close();
    }
    return session.report.failures > 0 ? FAILED : DONE;
  });
}

async function enrichIndex(out: string | undefined, context: EnrichContext): Promise<void> {
  const { input, session } = context;
  const { label } = session.reading.hints;
  const opened = await openInput({ path: input, found: false }, session.reading.onRead);
  try {
    const blocks = enrichCdxj(plainChunks(opened, session), label, context);
    if (out !== undefined) await replaceFile(out, (file) => writeAll(blocks, createWriter(file), compressionOf(out)));
    else
      for await (const block of blocks) {
        if (process.stdout.isTTY) session.progress.hide();
        await print(block);
        // The lines of a stream may never end.
        if (isOutputLost() && input === STDIN) break;
      }
  } finally {
    await opened.close();
  }
}

/** The bytes of an index without the gzip around it. */
function plainChunks({ head, rest, fileSize }: Input, { reading }: Session): AsyncIterable<Uint8Array> {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return following(head, rest);
  let read = 0;
  async function* chunks(): AsyncGenerator<Uint8Array, undefined> {
    for await (const chunk of following(head, rest)) {
      read += chunk.length;
      yield chunk;
    }
  }
  const onInflated = createExpansionMeter(reading.hints.limits, () => fileSize ?? read);
  return gunzipStream(chunks(), { onInflated });
}

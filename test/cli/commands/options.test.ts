import { describe, expect, test } from 'vitest';
import { optionsOf, parseArguments, withSubcommands } from '../../../src/cli/command.ts';
import { loadCommands } from '../../../src/cli/commands/all-commands.ts';

const commands = (await loadCommands()).flatMap(withSubcommands);

describe.each(commands.map((each) => [each.name, each] as const))('the command %s', (_, command) => {
  const { summary, usage, options, topics = [] } = command;
  const all = [...options, ...topics.flatMap((topic) => topic.options)];

  test('has options with a name, a value and a help text', () => {
    for (const { name, short, value, choices, help } of all) {
      expect(name).toMatch(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/);
      if (short !== undefined) expect([name, short]).toEqual([name, expect.stringMatching(/^[a-zA-Z]$/)]);
      if (value !== undefined) expect([name, value]).toEqual([name, expect.stringMatching(/^[A-Z]/)]);
      for (const choice of choices ?? [])
        expect([name, choice]).toEqual([name, expect.stringMatching(/^[a-z0-9+-]+$/)]);
      // It begins in the middle of a line.
      expect([name, help]).toEqual([name, expect.stringMatching(/^[^A-Z\s].*[^.\s]$|^[A-Z]{2}/s)]);
    }
  });

  test('has no two options of one name', () => {
    for (const names of [all.map(({ name }) => name), all.flatMap(({ short }) => short ?? [])])
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  test('takes one value for each option, unless that is repeatable', () => {
    for (const { name, short, value, isRepeatable } of optionsOf(command)) {
      if (value === undefined) continue;
      const long = `--${name}`;
      const forms = [
        [long, 'a', long, 'b'],
        [`${long}=a`, 'operand', long, 'b'],
        [long, 'a', `${long}=b`],
        ...(short === undefined
          ? []
          : [
              [`-${short}a`, `${long}=b`],
              [long, 'a', `-${short}`, 'b'],
            ]),
      ];
      for (const argv of forms) {
        const parse = () => parseArguments(command, argv)?.values(name);
        if (isRepeatable) expect(parse()).toEqual(['a', 'b']);
        else expect(parse, argv.join(' ')).toThrow(/^--[a-z0-9-]+(?: \(-\w\))?: expected one value, got "a" and "b"$/);
      }
    }
  });

  test('has a summary of one line', () => {
    expect(summary).toMatch(/^\S.*[^.\s]$/);
    expect(usage).not.toMatch(/\n|^\s|\s$/);
  });
});

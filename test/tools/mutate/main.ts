/** `npm run mutate` changes src/scheme/ and runs the vectors; `npm run mutate -- --rooms` changes the other rooms and runs tests. */
await import(process.argv.includes('--rooms') ? './rooms/main.ts' : './scheme.ts');

export {};

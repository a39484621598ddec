/**
 * What the engine is told when the agent begins, by the agent itself (`lean.ts`): so it is the same whether Node runs
 * a script, a bundle or a single executable, and no launcher or unit file has to say anything.
 *
 * An agent works for five milliseconds and waits for ten seconds. Compilers that make code faster pay off for what
 * runs often: here they cost 5 MiB of resident memory, most of it the pages of Node that hold them, and save nothing.
 *
 * Only flags that leave the parser alone: by then it has gone over all of a bundle once, and `--max-lazy`, which would
 * save 2 MiB more, makes the engine end itself over what it noted then. What a launcher could add besides
 * (`--jitless`, `--max-semi-space-size`, `--v8-pool-size`) saves 1 MiB and warns, or nothing.
 */
export const ENGINE_FLAGS: readonly string[] = ['--no-opt', '--no-sparkplug'];

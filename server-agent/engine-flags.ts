/**
 * The V8 flags of the agent. The agent sets them itself (`apply-engine-flags.ts`), so that they are the same whether
 * Node runs a script, a bundle or a single executable, and no launcher or unit file has to pass them.
 *
 * The agent works for five milliseconds and waits for ten seconds. Optimising compilers pay off for code that runs
 * often. Here they cost 5 MiB of resident memory, mostly the pages of Node that hold them, and save nothing.
 *
 * Flags that change the parser are not possible: when this module runs, V8 has already pre-parsed the whole bundle.
 * `--max-lazy` would save another 2 MiB, but V8 then aborts because of the earlier parse. Further flags that a launcher
 * could pass (`--jitless`, `--max-semi-space-size`, `--v8-pool-size`) save at most 1 MiB, and one of them warns.
 */
export const ENGINE_FLAGS: readonly string[] = ['--no-opt', '--no-sparkplug'];

/** npm run dev: like npm start, but whenever a build succeeds, services whose code or schema have changed are restarted. */
import { changedServices, packageFolders, printsOf } from './development/changed-services.mts';
import { watchSources, type Watcher } from './development/watch.mts';
import { runPlatform } from './platform/run.mts';

let watcher: Watcher | undefined;

await runPlatform(process.argv.slice(2), {
  onReady: (platform) => {
    const folders = packageFolders();
    let prints = printsOf(folders);
    let queue = Promise.resolve();
    const renewChanged = async (): Promise<void> => {
      const now = printsOf(folders);
      const services = changedServices(prints, now);
      prints = now;
      if (services.length === 0) return;
      platform.say(`changed: ${services.join(', ')}`);
      try {
        await platform.renew(services);
        platform.say(`running again: ${services.join(', ')}`);
      } catch (error) {
        platform.say(error instanceof Error ? error.message : String(error));
      }
    };
    const onBuilt = (): void => {
      queue = queue.then(renewChanged);
    };
    watcher = watchSources(onBuilt, (text) => platform.say(text));
  },
  onStop: () => watcher?.stop(),
});

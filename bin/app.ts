/** The CDK app. `web/docs/deploy.md` lists its settings, such as `-c stage=production` and `-c region=…`. */
import { App } from 'aws-cdk-lib';
import { settingsOfApp, synthesizeApp } from '../lib/build/app.ts';

const app = new App();
await synthesizeApp(app, chosenSettings());

function chosenSettings() {
  try {
    return settingsOfApp(app, process.env);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

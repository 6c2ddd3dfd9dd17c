import { Component } from '@angular/core';
import { RouterOutlet } from '@angular/router';

/** The root: sign-in pages or the shell, as the address says. */
@Component({
  selector: 'cs-root',
  imports: [RouterOutlet],
  template: `<router-outlet />`,
})
export class App {}

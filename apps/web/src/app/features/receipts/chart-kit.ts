import { BarChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init as initOn, use, type ECharts } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([AriaComponent, BarChart, GridComponent, LegendComponent, SVGRenderer, TooltipComponent]);

/** The parts of ECharts that this console draws with; loaded only when a chart is wanted. */
export function init(element: HTMLElement): ECharts {
  return initOn(element, null, { renderer: 'svg' });
}

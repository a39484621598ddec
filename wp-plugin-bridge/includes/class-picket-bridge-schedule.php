<?php
/**
 * When this site polls.
 *
 * @package PicketBridge
 */

/**
 * Polls by WP-Cron, and after views of the administration, at most once a minute. A page view of a visitor does nothing.
 */
final class Picket_Bridge_Schedule {

	const EVENT    = 'picket_bridge_poll';
	const NOW      = 'picket_bridge_poll_now';
	const PERIOD_S = 300;
	const PAUSE_S  = 60;

	/**
	 * Adds the hooks.
	 */
	public static function add_hooks(): void {
		// phpcs:ignore WordPress.WP.CronInterval.CronSchedulesInterval -- Nothing but a small request is sent.
		add_filter( 'cron_schedules', array( __CLASS__, 'add_period' ) );
		add_action( self::EVENT, array( 'Picket_Bridge_Poll', 'run' ) );
		add_action( self::NOW, array( 'Picket_Bridge_Poll', 'run' ) );
		add_action( 'admin_init', array( __CLASS__, 'on_admin_view' ) );
	}

	/**
	 * Adds a period of five minutes.
	 *
	 * @param array $periods All periods.
	 */
	public static function add_period( $periods ): array {
		$periods['picket_bridge'] = array(
			'interval' => self::PERIOD_S,
			'display'  => 'Picket Bridge',
		);
		return $periods;
	}

	/**
	 * Begins polling.
	 */
	public static function begin(): void {
		if ( ! wp_next_scheduled( self::EVENT ) ) {
			wp_schedule_event( time() + self::PERIOD_S, 'picket_bridge', self::EVENT );
		}
	}

	/**
	 * Ends polling.
	 */
	public static function end(): void {
		wp_clear_scheduled_hook( self::EVENT );
		wp_clear_scheduled_hook( self::NOW );
	}

	/**
	 * Polls in the background, so that nobody waits for it.
	 */
	public static function on_admin_view(): void {
		$is_due = time() - (int) get_option( 'picket_bridge_polled_at' ) >= self::PAUSE_S;
		if ( ! $is_due || null === Picket_Bridge_Connection::get() || wp_next_scheduled( self::NOW ) ) {
			return;
		}
		self::begin();
		wp_schedule_single_event( time(), self::NOW );
		spawn_cron();
	}
}

<?php
/**
 * The exchange with Picket.
 *
 * @package PicketBridge
 */

/**
 * Sends what this site has measured and done, and does what Picket answers.
 */
final class Picket_Bridge_Poll {

	/**
	 * A job is answered by the second exchange, and what the answer to that may contain by the next poll.
	 */
	const EXCHANGES_MAX = 3;

	/**
	 * Before plugins are loaded, the first exchange fetches the jobs, and the second one sends their results.
	 */
	const UNDO_EXCHANGES_MAX = 2;
	const UNDO_WAIT_S        = 5;

	/**
	 * Polls, unless another request of this site is doing so. Returns what failed.
	 *
	 * @param bool $is_asked Whether Picket wants to know how the site is now.
	 * @return true|WP_Error
	 */
	public static function run( bool $is_asked = false ) {
		if ( null === Picket_Bridge_Connection::get() ) {
			return self::unconnected();
		}
		// Also while another request polls: that of a command line leaves it to the web server.
		Picket_Bridge_Undo_File::write();
		if ( Picket_Bridge_Connection::is_gone() ) {
			Picket_Bridge_Undo_File::remove();
			return self::unconnected();
		}
		if ( ! self::lock( 0 ) ) {
			return true;
		}
		// Deactivation, which has the same lock, may just have ended.
		$result = Picket_Bridge_Connection::is_gone() ? self::unconnected() : self::poll( Picket_Bridge_Connection::get(), $is_asked );
		self::unlock();
		return $result;
	}

	/**
	 * Fetches and does the jobs that undo something, and no other: a fix is tested with all plugins. Nothing is measured.
	 */
	public static function undo_before_plugins(): void {
		if ( ! self::lock( self::UNDO_WAIT_S ) ) {
			return;
		}
		$connection = Picket_Bridge_Connection::is_gone() ? null : Picket_Bridge_Connection::get();
		$undone     = array();
		for ( $exchange = 0; null !== $connection && $exchange < self::UNDO_EXCHANGES_MAX; $exchange++ ) {
			$message = array_merge(
				self::about(),
				array(
					'before_plugins' => true,
					'results'        => Picket_Bridge_Jobs::results(),
					'checks'         => Picket_Bridge_Measurement::unmeasured( $undone ),
				)
			);
			$answer  = Picket_Bridge_Client::signed( $connection, '/v1/wp/plugin/poll', (string) wp_json_encode( $message ) );
			$jobs    = is_wp_error( $answer ) ? array() : (array) ( $answer['jobs'] ?? array() );
			$undone  = Picket_Bridge_Jobs::checks_to_undo( $jobs );
			if ( ! Picket_Bridge_Jobs::run( array_intersect_key( $jobs, $undone ) ) ) {
				break;
			}
			Picket_Bridge_Measurement::make_due();
		}
		self::unlock();
	}

	/**
	 * Polls, and stores what the settings page shows of it. Returns what failed.
	 *
	 * @param array $connection As `Picket_Bridge_Connection::get` returns it.
	 * @param bool  $is_asked   Whether Picket wants to know how the site is now.
	 * @return true|WP_Error
	 */
	private static function poll( array $connection, bool $is_asked ) {
		update_option( 'picket_bridge_polled_at', time(), false );
		if ( Picket_Bridge_Safe_Mode::is_due() ) {
			// The must-use plugin may be missing.
			Picket_Bridge_Safe_Mode::undo();
		}
		$result = self::exchange( $connection, $is_asked );
		update_option( 'picket_bridge_problem', is_wp_error( $result ) ? $result->get_error_message() : '', false );
		if ( Picket_Bridge_Connection::is_gone() ) {
			// Deactivation has not waited for the end of this poll, which has stored something again.
			Picket_Bridge_Undo_File::remove();
			Picket_Bridge_Connection::forget();
		}
		return $result;
	}

	/**
	 * Returns the error of a site that is not connected.
	 */
	private static function unconnected(): WP_Error {
		return new WP_Error( 'picket_bridge_unconnected', __( 'This site is not connected.', 'picket-bridge' ) );
	}

	/**
	 * Exchanges messages until there is nothing new.
	 *
	 * @param array $connection As `Picket_Bridge_Connection::get` returns it.
	 * @param bool  $is_asked   Whether Picket wants to know how the site is now.
	 * @return true|WP_Error
	 */
	private static function exchange( array $connection, bool $is_asked ) {
		for ( $exchange = 0; $exchange < self::EXCHANGES_MAX; $exchange++ ) {
			// The results first: what was interrupted is undone before anything is measured.
			$results = Picket_Bridge_Jobs::results();
			Picket_Bridge_Plugin_Backups::sweep();
			// After the first exchange, jobs may have changed anything.
			$is_due  = $is_asked || $exchange > 0 || Picket_Bridge_Measurement::is_due();
			$checks  = $is_due ? Picket_Bridge_Measurement::run() : array();
			$message = array_merge(
				self::about(),
				Picket_Bridge_Inventory::read(),
				$is_due ? Picket_Bridge_Undo_File::measure() : array(),
				array(
					'checks'  => $checks,
					'results' => $results,
				)
			);
			$answer  = Picket_Bridge_Client::signed( $connection, '/v1/wp/plugin/poll', (string) wp_json_encode( $message ) );
			if ( is_wp_error( $answer ) ) {
				return $answer;
			}
			if ( ! Picket_Bridge_Jobs::run( $answer['jobs'] ?? array() ) ) {
				return true;
			}
		}
		return true;
	}

	/**
	 * Returns what Picket shows of this site.
	 */
	public static function about(): array {
		// phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- sanitize_text_field follows.
		$server = isset( $_SERVER['SERVER_SOFTWARE'] ) ? wp_unslash( $_SERVER['SERVER_SOFTWARE'] ) : '';
		return array(
			'home_url'       => Picket_Bridge_Connection::home(),
			'site_url'       => site_url(),
			'plugin_version' => PICKET_BRIDGE_VERSION,
			'wp_version'     => substr( (string) get_bloginfo( 'version' ), 0, 50 ),
			'php_version'    => substr( PHP_VERSION, 0, 50 ),
			'server'         => substr( sanitize_text_field( (string) $server ), 0, 100 ),
		);
	}

	/**
	 * Locks until the end of this request at most, also if the process is killed: the database ends the lock with its
	 * connection. A database without such locks does not lock. Returns false if another request still has the lock.
	 *
	 * @param int $wait_s How long to wait for it.
	 */
	public static function lock( int $wait_s ): bool {
		$lock = self::locked( $wait_s );
		return '1' === $lock || ( null === $lock && ! Picket_Bridge_Plugin_Record::may_be_alive() );
	}

	/**
	 * Locks as `lock` does. Returns '1', '0' if another request still has the lock, or null if the database has no such locks.
	 *
	 * @param int $wait_s How long to wait for it.
	 */
	public static function locked( int $wait_s ): ?string {
		global $wpdb;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- It is no data.
		return $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, %d)', self::lock_name(), $wait_s ) );
	}

	/**
	 * Unlocks.
	 */
	public static function unlock(): void {
		global $wpdb;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- It is no data.
		$wpdb->get_var( $wpdb->prepare( 'SELECT RELEASE_LOCK(%s)', self::lock_name() ) );
	}

	/**
	 * Returns the name of the lock: several sites may share a database server.
	 */
	private static function lock_name(): string {
		global $wpdb;
		return 'picket_' . substr( hash( 'sha256', DB_NAME . $wpdb->prefix ), 0, 32 );
	}
}

<?php
/**
 * The check of fatal errors.
 *
 * @package PicketBridge
 */

/**
 * Reads the error log of PHP, and groups the fatal errors of the last 24 hours.
 */
final class Picket_Bridge_Fatal_Errors_Check extends Picket_Bridge_Check {

	const PERIOD_S  = 86400;
	const LOG_BYTES = 2097152;
	const GROUPS    = 3;
	const NAME_MAX  = 70;

	const PLACE_CHARS = 1000;

	/**
	 * Returns the fatal errors of a log since a time, the most frequent first: how often each file and line has failed.
	 *
	 * @param string $log     The end of the log.
	 * @param int    $since_s Seconds since the epoch.
	 * @return int[] By file and line.
	 */
	public static function grouped( string $log, int $since_s ): array {
		$groups = array();
		$at_s   = null;
		foreach ( explode( "\n", $log ) as $line ) {
			if ( 1 === preg_match( '/^\[([^\]]{1,60})\] (PHP (?:Fatal|Parse) error: )?/', $line, $start ) ) {
				$at_s = isset( $start[2] ) ? (int) strtotime( $start[1] ) : null;
			}
			// The message may have several lines, and one of them ends with the place.
			$end = substr( rtrim( $line ), -self::PLACE_CHARS );
			if ( null === $at_s || $at_s < $since_s || 1 !== preg_match( '/.* in ((?:\/|[A-Za-z]:\\\\).+?)(?: on line |:)(\d+)$/', $end, $place ) ) {
				continue;
			}
			$group            = "$place[1]:$place[2]";
			$groups[ $group ] = 1 + ( $groups[ $group ] ?? 0 );
			$at_s             = null;
		}
		arsort( $groups );
		return $groups;
	}

	/**
	 * Returns whether the end of a log has everything since a time: it is the whole log, or begins before.
	 *
	 * @param string $log     The end of the log, as `end_of` reads it.
	 * @param int    $since_s Seconds since the epoch.
	 */
	public static function reaches( string $log, int $since_s ): bool {
		if ( strlen( $log ) < self::LOG_BYTES ) {
			return true;
		}
		$oldest_s = 1 === preg_match( '/^\[([^\]]{1,60})\] /m', $log, $start ) ? strtotime( $start[1] ) : false;
		return false !== $oldest_s && $oldest_s <= $since_s;
	}

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public function measure(): array {
		$view = Picket_Bridge_Web_View::read();
		if ( is_wp_error( $view ) ) {
			return self::unanswered( 'the settings of PHP', $view );
		}
		if ( ! $view['logs_errors'] || '' === $view['error_log'] || 'syslog' === $view['error_log'] ) {
			return self::result( 'unknown', 'PHP writes its errors to no file that WordPress can read' );
		}
		$log = self::end_of( $view['error_log'] );
		if ( null === $log ) {
			return self::result( 'unknown', 'WordPress cannot read the error log of PHP' );
		}
		$groups = self::grouped( $log, time() - self::PERIOD_S );
		if ( array() === $groups && ! self::reaches( $log, time() - self::PERIOD_S ) ) {
			return self::result( 'unknown', 'the error log of PHP grows so fast that its last 2 MiB are of less than 24 hours' );
		}
		if ( array() === $groups ) {
			return self::result( 'passing', 'no fatal error in 24 hours' );
		}
		$shown = array();
		foreach ( array_slice( $groups, 0, self::GROUPS ) as $group => $count ) {
			$name    = Picket_Bridge_File::shown( (string) $group );
			$shown[] = substr( $name, -self::NAME_MAX ) . " ($count)";
		}
		$others = count( $groups ) > self::GROUPS ? ' and others' : '';
		return self::result( 'failing', array_sum( $groups ) . ' fatal errors in 24 hours: ' . implode( ', ', $shown ) . $others );
	}

	/**
	 * Returns the end of the log; null if it cannot be read. A log that PHP can create and has not is empty.
	 *
	 * @param string $path The path.
	 */
	private static function end_of( string $path ): ?string {
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- A host may limit the folders of PHP, with a warning.
		if ( ! @file_exists( $path ) ) {
			return '/' === substr( $path, 0, 1 ) && @is_writable( dirname( $path ) ) ? '' : null;
		}
		$size = (int) @filesize( $path );
		$end  = @is_file( $path ) ? @file_get_contents( $path, false, null, max( 0, $size - self::LOG_BYTES ), self::LOG_BYTES ) : false;
		// phpcs:enable
		return false === $end ? null : $end;
	}
}

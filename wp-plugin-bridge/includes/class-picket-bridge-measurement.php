<?php
/**
 * Measuring.
 *
 * @package PicketBridge
 */

/**
 * The checks of this version, and when they are measured.
 */
final class Picket_Bridge_Measurement {

	const OPTION = 'picket_bridge_measured_at';

	/**
	 * A measurement is a dozen requests of the site to itself.
	 */
	const PERIOD_S = 900;

	/**
	 * Returns the checks by id.
	 *
	 * @return Picket_Bridge_Check[]
	 */
	public static function checks(): array {
		return array(
			'xmlrpc'             => new Picket_Bridge_Xmlrpc_Check(),
			'debug-mode'         => new Picket_Bridge_Debug_Mode_Check(),
			'directory-browsing' => new Picket_Bridge_Directory_Browsing_Check(),
			'block-php-uploads'  => new Picket_Bridge_Php_Uploads_Check(),
			'file-editor'        => new Picket_Bridge_File_Editor_Check(),
			'hide-version'       => new Picket_Bridge_Hide_Version_Check(),
			'force-https'        => new Picket_Bridge_Force_Https_Check(),
			'security-headers'   => new Picket_Bridge_Security_Headers_Check(),
			'fatal-errors'       => new Picket_Bridge_Fatal_Errors_Check(),
		);
	}

	/**
	 * Forgets what was seen before.
	 */
	public static function begin(): void {
		Picket_Bridge_Self_Request::forget();
		Picket_Bridge_Canary::forget();
		Picket_Bridge_Web_View::forget();
	}

	/**
	 * Returns whether it is time to measure again.
	 */
	public static function is_due(): bool {
		return abs( time() - (int) get_option( self::OPTION ) ) >= self::PERIOD_S;
	}

	/**
	 * Makes the next poll measure.
	 */
	public static function make_due(): void {
		delete_option( self::OPTION );
	}

	/**
	 * Measures all checks.
	 */
	public static function run(): array {
		self::begin();
		Picket_Bridge_Canary::sweep();
		update_option( self::OPTION, time(), false );
		$measured = array();
		foreach ( self::checks() as $id => $check ) {
			$result     = $check->measure();
			$is_applied = $check->is_applied();
			$is_open    = ! $is_applied && 'passing' !== $result['status'];
			$measured[] = array(
				'id'        => $id,
				'status'    => $result['status'],
				'evidence'  => Picket_Bridge_Jobs::line( $result['evidence'] ),
				'applied'   => $is_applied,
				'pasteable' => $check->is_pasteable() && ! Picket_Bridge_Safe_Mode::is_on(),
				'obstacle'  => $is_open ? Picket_Bridge_Jobs::line( $check->problem_before() ) : '',
			);
		}
		return $measured;
	}

	/**
	 * Returns whether the fixes of these checks are on the site, without measuring: other plugins and the theme are not there.
	 *
	 * @param string[] $ids The checks.
	 */
	public static function unmeasured( array $ids ): array {
		$read = array();
		foreach ( array_intersect_key( self::checks(), array_flip( $ids ) ) as $id => $check ) {
			$read[] = array(
				'id'       => $id,
				'status'   => 'unknown',
				'evidence' => 'the fix was undone before plugins and theme were loaded, and nothing was measured since',
				'applied'  => $check->is_applied(),
			);
		}
		return $read;
	}
}

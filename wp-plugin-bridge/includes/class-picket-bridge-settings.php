<?php
/**
 * The settings page.
 *
 * @package PicketBridge
 */

/**
 * Settings → Picket: connects this site, and shows what Picket is told.
 */
final class Picket_Bridge_Settings {

	const PAGE = 'picket-bridge';

	/**
	 * Adds the hooks.
	 */
	public static function add_hooks(): void {
		add_action( 'admin_menu', array( __CLASS__, 'add_page' ) );
		add_action( 'admin_post_picket_bridge_connect', array( __CLASS__, 'connect' ) );
		add_filter( 'plugin_action_links_' . plugin_basename( PICKET_BRIDGE_FILE ), array( __CLASS__, 'add_link' ) );
	}

	/**
	 * Adds the page to the menu.
	 */
	public static function add_page(): void {
		add_options_page( 'Picket', 'Picket', 'manage_options', self::PAGE, array( __CLASS__, 'show' ) );
	}

	/**
	 * Adds a link to the list of plugins.
	 *
	 * @param string[] $links The links.
	 */
	public static function add_link( $links ): array {
		$link = '<a href="' . esc_url( self::url() ) . '">' . esc_html__( 'Settings', 'picket-bridge' ) . '</a>';
		return array_merge( array( $link ), (array) $links );
	}

	/**
	 * Returns the URL of the page.
	 */
	private static function url(): string {
		return admin_url( 'options-general.php?page=' . self::PAGE );
	}

	/**
	 * Connects this site with what somebody has entered.
	 */
	public static function connect(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'You may not change this.', 'picket-bridge' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( 'picket_bridge_connect' );
		$url    = isset( $_POST['picket_url'] ) ? esc_url_raw( wp_unslash( $_POST['picket_url'] ) ) : '';
		$code   = isset( $_POST['picket_code'] ) ? sanitize_text_field( wp_unslash( $_POST['picket_code'] ) ) : '';
		$result = Picket_Bridge_Connection::connect( $url, $code );
		if ( is_wp_error( $result ) ) {
			set_transient( 'picket_bridge_error_' . get_current_user_id(), $result->get_error_message(), 60 );
		}
		wp_safe_redirect( self::url() );
		exit;
	}

	/**
	 * Shows the page.
	 */
	public static function show(): void {
		$connection = Picket_Bridge_Connection::get();
		$error      = get_transient( 'picket_bridge_error_' . get_current_user_id() );
		delete_transient( 'picket_bridge_error_' . get_current_user_id() );
		echo '<div class="wrap"><h1>Picket</h1>';
		foreach ( array_filter( array( $error, Picket_Bridge_Connection::why_lost() ) ) as $message ) {
			echo '<div class="notice notice-error"><p>' . esc_html( $message ) . '</p></div>';
		}
		if ( null !== $connection ) {
			self::show_connection( $connection );
		}
		self::show_form( null !== $connection );
		echo '</div>';
	}

	/**
	 * Shows the connection.
	 *
	 * @param array $connection As `Picket_Bridge_Connection::get` returns it.
	 */
	private static function show_connection( array $connection ): void {
		$problem = (string) get_option( 'picket_bridge_problem' );
		if ( '' !== $problem ) {
			echo '<div class="notice notice-warning"><p>' . esc_html( $problem ) . '</p></div>';
		}
		/* translators: %s: a URL. */
		echo '<p><strong>' . esc_html( sprintf( __( 'This site is connected to %s.', 'picket-bridge' ), $connection['url'] ) ) . '</strong></p>';
		echo '<p>' . esc_html__( 'The plugin sends the versions of WordPress, PHP and the web server, and what it has measured. Deactivate it to end the connection: that undoes everything that it has changed.', 'picket-bridge' ) . '</p>';
	}

	/**
	 * Shows the form.
	 *
	 * @param bool $is_connected Whether the site is connected.
	 */
	private static function show_form( bool $is_connected ): void {
		$title = $is_connected ? __( 'Connect again', 'picket-bridge' ) : __( 'Connect this site', 'picket-bridge' );
		echo '<h2>' . esc_html( $title ) . '</h2>';
		echo '<form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '">';
		echo '<input type="hidden" name="action" value="picket_bridge_connect">';
		wp_nonce_field( 'picket_bridge_connect' );
		echo '<table class="form-table" role="presentation"><tr><th><label for="picket_url">' . esc_html__( 'URL of Picket', 'picket-bridge' ) . '</label></th>';
		echo '<td><input class="regular-text" type="url" id="picket_url" name="picket_url" required placeholder="https://picket.example"></td></tr>';
		echo '<tr><th><label for="picket_code">' . esc_html__( 'Activation code', 'picket-bridge' ) . '</label></th>';
		echo '<td><input class="regular-text code" type="text" id="picket_code" name="picket_code" required autocomplete="off"></td></tr></table>';
		submit_button( __( 'Connect', 'picket-bridge' ) );
		echo '</form>';
	}
}
